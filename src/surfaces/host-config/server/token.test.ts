// The token that stays the same: made of a file and a key, and in neither of them.
import { chmodSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { storedToken, newToken } from "./token.ts";

let folder: string;
beforeEach(() => (folder = tempFolder("token-")));
const signer = (name: string) => (bytes: Uint8Array) => Buffer.concat([Buffer.from(name), bytes]);

describe("[S-1] a kept token", () => {
  it("is the same at each start, and no file holds it", () => {
    const token = storedToken(folder, signer("mine"));
    expect(storedToken(folder, signer("mine"))).toBe(token);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), "utf8")).not.toContain(token);
  });

  it.each([0o640, 0o620, 0o610, 0o604, 0o602])("is not made of a file with mode %o", (mode) => {
    storedToken(folder, signer("mine"));
    chmodSync(join(folder, "mcp-token"), mode);
    expect(() => storedToken(folder, signer("mine"))).toThrow("other users can read it");
  });

  it("is another one with another key, with another file, and at a start that keeps none", () => {
    const token = storedToken(folder, signer("mine"));
    expect(storedToken(folder, signer("theirs"))).not.toBe(token);
    rmSync(join(folder, "mcp-token"));
    expect(storedToken(folder, signer("mine"))).not.toBe(token);
    expect(newToken()).not.toBe(newToken());
  });
});
