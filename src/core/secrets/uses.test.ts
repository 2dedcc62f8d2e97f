import { describe, expect, it } from "vitest";
import type { SecretUse } from "../contract/index.ts";
import { findSecrets, marker, redact } from "./index.ts";

/** In two parts, so that this file holds no secret itself. */
const name = `pass${"word"}`;
const token = `ghp_${"A1b2C3d4E5f6G7h8I9".repeat(2)}`;
const counts = (text: string, use: SecretUse, file?: string) =>
  findSecrets(text, { use, ...(file === undefined ? {} : { file }) }).length > 0;

/** Which finding counts for which question. */
const table: readonly (readonly [what: string, text: string, file: string, transfer: boolean, print: boolean])[] = [
  ["a token of a service", `x = ${token}`, "a.log", true, true],
  ["a random password beside its name", `${name} = "k3Jd82hLq9"`, "a.py", true, true],
  ["a chosen password with digits", `${name} = "hunter22"`, "a.py", true, true],
  ["a password in a URL", `postgres:${"//"}app:hunter22@db.internal/x`, "a.log", true, true],
  ["a word in a file made for logins", `${name}=cackle\n`, "app.ini", true, false],
  ["a word in quotes beside the name", `${name} = "cackle"`, "a.gradle", true, false],
  ["a word in source code", `${name} = "cackle"`, "a.py", false, false],
  ["a word in documentation", `${name}: "open-cackle"`, "guide.md", false, false],
  ["a weak password in a test", `${name} = "hunter22"`, "test_login.py", false, false],
  ["a random password in a test", `${name} = "k3Jd82hLq9wz"`, "login.test.ts", true, true],
  ["a weak login of a database in a file", `postgres:${"//"}app:cackle@db.internal/x`, "notes", true, true],
  ["a weak login of a database in source code", `postgres:${"//"}app:cackle@db.internal/x`, "a.go", false, false],
  ["a hashed password in a table of users", `ann:$2b$12$${"Ab1./".repeat(10)}Cd3`, "users.sql", true, true],
  ["a hashed password in source code", `"$2b$12$${"Ab1./".repeat(10)}Cd3"`, "a.py", false, false],
  ["an encrypted value", 'UPLOAD_TOKEN: "ENCRYPTED[!5a69522ae0c2af9edb2bc1cdfeaca6]"', "ci.yml", false, false],
  [
    "the name of a stored secret",
    "arn:aws:secretsmanager:eu-west-1:1234:secret:prod/Db-A1b2C3d4E5",
    "a.json",
    false,
    false,
  ],
  ["a setting about passwords", "update_password: always", "play.yml", false, false],
  ["a sentence about a password", "# the password is plaintext", "play.yml", false, false],
  ["a placeholder", 'password = "changeme"', "a.py", false, false],
  ["a variable", 'password = "${DB_PASSWORD}"', "a.py", false, false],
  ["a hexadecimal number", `${name} = "0xAb19D82E7f546cC3"`, "a.py", false, false],
];

describe("[S-2] the two questions: may it leave the machine, may it be printed", () => {
  it.each(table)("%s", (_, text, file, transfer, print) => {
    expect([counts(text, "transfer", file), counts(text, "print", file)]).toEqual([transfer, print]);
  });

  it("without a question the stricter one is answered", () => {
    expect(findSecrets(`${name}=cackle\n`, { file: "app.ini" })).toHaveLength(1);
  });
});

describe("a value that occurs again near its name", () => {
  const value = "Prl23Db#@x";

  it("is found there too", () => {
    expect(redact(`retry with ${value}\npassword: ${value}\nroot/${value},`).text).toBe(
      `retry with ${marker}\npassword: ${marker}\nroot/${marker},`,
    );
  });

  it("is not found far away, inside a longer word, or without its name", () => {
    const far = "line\n".repeat(1000);
    expect(redact(`password: ${value}\n${far}${value}`).text).toContain(value);
    expect(redact(`password: ${value}\na${value}b`).text).toContain(`a${value}b`);
    expect(findSecrets(`root/${value}`)).toEqual([]);
  });

  it("an ordinary word is not", () => {
    expect(redact(`${name} = "cackle"; // the hens cackle`, { file: "a.gradle" }).text).toContain("hens cackle");
  });
});
