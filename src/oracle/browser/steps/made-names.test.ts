import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { FileNames, endingOf, plainName } from "./made-names.ts";

it.each([
  ["report.csv", "report.csv"],
  ["../../.ssh/authorized_keys", "authorized_keys"],
  ["C:\\Windows\\win.ini", "win.ini"],
  [".bashrc", "bashrc"],
  ["--exec", "exec"],
  ["a\u0000b\u202Ec.txt", "a_b_c.txt"],
  ["con.txt", "file-con.txt"],
  ["", "file"],
  ["..", "file"],
  ["über 한국.md", "über 한국.md"],
])("%j becomes the plain name %j", (told, name) => {
  expect(plainName(told)).toBe(name);
});

it("a long name keeps its ending", () => {
  const name = plainName(`${"x".repeat(300)}.tar`);
  expect(name).toHaveLength(100);
  expect(name.endsWith(".tar")).toBe(true);
});

it("no name is given twice, also where letters differ by their size only, and none that is there", () => {
  const folder = tempFolder("made-");
  writeFileSync(join(folder, "b.txt"), "");
  const names = new FileNames();
  expect(["A.txt", "a.txt", "b.txt", "b.txt"].map((told) => names.free(told, folder))).toEqual([
    "A.txt",
    "a-2.txt",
    "b-2.txt",
    "b-3.txt",
  ]);
});

it("the first bytes tell the kind of a picture, else the site does", () => {
  expect(endingOf(Buffer.from([0x89, 0x50, 0x4e, 0x47]), "image/gif")).toBe(".png");
  expect(endingOf(Buffer.from("RIFF....WEBP"), "")).toBe(".webp");
  expect(endingOf(Buffer.from("<svg"), "image/svg+xml")).toBe(".svg");
  expect(endingOf(Buffer.from("?"), "text/html")).toBe(".bin");
});
