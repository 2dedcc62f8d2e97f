import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError, repoConfig, sharedConfig, userConfig } from "../../core/contract/index.ts";
import { parseJsonc, readJsonc } from "./read-jsonc.ts";

const schema = z.strictObject({
  version: z.literal(1),
  roles: z.strictObject({ qa: z.string() }).optional(),
});

function refused(text: string): string {
  try {
    parseJsonc(text, "config.json", schema);
  } catch (error) {
    if (error instanceof FailureError) return error.failure.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a configuration file", () => {
  it("may hold comments and a trailing comma", () => {
    expect(parseJsonc('{\n// yes\n"version": 1,\n}', "config.json", schema)).toEqual({ version: 1 });
  });

  it("may hold any number of brackets in texts and comments", () => {
    const many = "[{".repeat(500);
    const text = `{\n// ${many}\n/* ${many} */\n"version": 1, "roles": { "qa": "\\"${many}" } }`;
    expect(parseJsonc(text, "config.json", schema).roles?.qa).toBe(`"${many}`);
  });

  it("names each check once, in every file", () => {
    const check = { id: "x", kind: "test", argv: ["true"] };
    const twice = { checks: [check, { ...check, argv: ["false"] }] };
    for (const [config, file] of [
      [sharedConfig, twice],
      [userConfig, { policy: twice }],
      [repoConfig, { policy: twice }],
    ] as const)
      expect(() => parseJsonc(JSON.stringify(file), "thehood.json", config)).toThrow(
        /checks has two checks with the same id/,
      );
  });

  it("may begin with the mark of its encoding, and is never waited for where it is a pipe", () => {
    const path = join(tempFolder("config-"), "config.json");
    writeFileSync(path, '\uFEFF{ "version": 1 }\r\n');
    expect(readJsonc(path, schema)).toEqual({ version: 1 });
    rmSync(path);
    expect(readJsonc(path, schema)).toBeUndefined();
    execFileSync("mkfifo", [path]);
    expect(() => readJsonc(path, schema)).toThrow(/is not a regular file/);
  });

  it.each([
    ['{\n  "version": 1,\n  "rolse": {}\n}', 'config.json:3:3: unknown key "rolse"'],
    ['{\n  "version": 1,\n  "roles": { "qa": 7 }\n}', "config.json:3:20: roles.qa"],
    ['{\n  "version": 1,\n  "roles": {\n}', "config.json:4:2: close brace expected"],
    ['{ "version": 2 }', "config.json:1:14: version"],
    ["", "config.json:1:1"],
    ['{ "version": 1,\n"roles": {},\n"roles": { "qa": "stub:a" } }', 'config.json:3:1: the key "roles" is there twice'],
    ['{ "version": 1, "roles": { "qa": "a", "qa": "b" } }', 'config.json:1:39: the key "qa" is there twice'],
    [`{ "version": ${"[".repeat(200_000)}`, "config.json:1:77: more than 64 levels of brackets"],
  ])("is refused with line and column: %j", (text, message) => {
    expect(refused(text)).toContain(message);
  });
});
