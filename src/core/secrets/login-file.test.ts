// Files that are made to hold a login: the login is found by the name of the file and its grammar, however weak it is.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRows } from "../../../tests/support/commands/load.ts";
import { findSecrets, redact } from "./index.ts";

interface Row {
  readonly file: string;
  readonly text: string;
  readonly value: string;
}

const rows = readRows<Row>(join(import.meta.dirname, "../../../tests/corpus/login-files.jsonl"));

describe("[T-23] files that are made to hold a login", () => {
  it.each(rows.map((row, at) => [`${at + 1} ${row.file}`, row] as const))("%s", (_, { file, text, value }) => {
    const at = text.indexOf(value);
    const found = findSecrets(text, { file });
    expect(found.some(({ start, end }) => start <= at && end >= at + value.length)).toBe(true);
    const once = redact(text, { file }).text;
    expect(redact(once, { file }).text).toBe(once);
  });

  it.each([
    [".netrc", "machine ftp.invalid login bob password ${FTP_PASSWORD}\n"],
    [".msmtprc", "passwordeval gpg -d ~/.mail\n"],
    [".pgpass", "# host:port:db:user:password\n"],
    ["passwd", "root:x:0:0:root:/root:/bin/bash\nbob:*:1:1::/:/bin/sh\n"],
    ["shadow", "daemon:*:19000:0:99999:7:::\nlocked:!:19000::::::\n"],
    ["settings.xml", "<password>${env.REPO_PASSWORD}</password>"],
    ["dump.sql", "INSERT INTO etags VALUES ('5f4dcc3b5aa765d61d8327deb882cf99');\n"],
    [".git-credentials", "https://bob:${TOKEN}@git.invalid\n"],
    ["pip.conf", "index-url = https://pypi.org/simple\n"],
    ["ldap.conf", "bindpw ${LDAP_PW}\n"],
  ])("%s without a login: nothing in %j", (file, text) => {
    expect(findSecrets(text, { file })).toEqual([]);
  });
});
