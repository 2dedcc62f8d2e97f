// Texts that a person names, also where there is no text: each refusal says why.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { namedText } from "./named-text.ts";

const folder = tempFolder("named-text-");
const read = (name: string) => namedText(join(folder, name), name, "Name another file.");

it("reads UTF-8 text, also where a letter lies across two pieces, and leaves out a mark of the order of bytes", async () => {
  const text = `${"a".repeat(65_535)}é\n`;
  writeFileSync(join(folder, "text"), `\uFEFF${text}`);
  expect(await read("text")).toBe(text);
  writeFileSync(join(folder, "empty"), "");
  expect(await read("empty")).toBe("");
});

it.each([
  ["no such file", "missing"],
  ["no such file", "text/x"],
  ["a folder", "folder"],
  ["in a circle", "loop"],
  ["not UTF-8", "binary"],
  ["not UTF-8", "cut"],
  ["larger than 64 MB", "huge"],
  ["too long", "n".repeat(300)],
])("what cannot be read is refused: %s", async (why, name) => {
  writeFileSync(join(folder, "text"), "a");
  mkdirSync(join(folder, "folder"), { recursive: true });
  if (!existsSync(join(folder, "binary"))) symlinkSync("loop", join(folder, "loop"));
  writeFileSync(join(folder, "binary"), Uint8Array.of(255, 254, 0));
  writeFileSync(join(folder, "cut"), Uint8Array.of(97, 195));
  writeFileSync(join(folder, "huge"), "");
  truncateSync(join(folder, "huge"), (64 << 20) + 1);
  await expect(read(name)).rejects.toThrow(new RegExp(`^${name} cannot be read: .*${why}`));
});

it("an answer may hold a byte that is no UTF-8", async () => {
  writeFileSync(join(folder, "latin"), Uint8Array.of(99, 97, 102, 233, 10));
  expect(await namedText(join(folder, "latin"), "latin", "", false)).toBe("caf\uFFFD\n");
});

it.skipIf(!existsSync("/dev/zero"))("a device that never ends is not read for ever", async () => {
  await expect(namedText("/dev/zero", "it", "")).rejects.toThrow(/larger than 64 MB/);
});

it.skipIf(process.platform === "win32")("reads what another program writes into a pipe", async () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const text = read("pipe");
  await writeFile(join(folder, "pipe"), "from a pipe");
  expect(await text).toBe("from a pipe");
});
