import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { writeDurably } from "./index.ts";

let folder: string;
beforeEach(() => (folder = tempFolder("durable-")));

it("a durable file is whole and private, replaces the old one, and is not stopped by what a killed writer left", () => {
  const path = join(folder, "record");
  writeFileSync(`${path}.tmp`, "half of an ear");
  for (const text of ["first", "second, longer", ""]) {
    writeDurably(path, `${path}.tmp`, Buffer.from(text));
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["record"]);
});

it("a durable file that cannot be put in place leaves nothing behind", () => {
  const path = join(folder, "missing", "record");
  expect(() => writeDurably(path, join(folder, "draft"), Buffer.from("x"))).toThrow(/ENOENT/);
  expect(readdirSync(folder)).toEqual([]);
});
