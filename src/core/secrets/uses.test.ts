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
