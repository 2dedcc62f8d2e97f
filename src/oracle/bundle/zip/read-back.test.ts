import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { readArchive } from "../../../../tests/support/bundle/archive.ts";
import { type FoundEntry, readBackZip, UnsoundArchive } from "./read-back.ts";
import { endRecords, signatures } from "./records.ts";
import { ZipWriter } from "./writer.ts";

const folder = tempFolder("zip-back-");

async function written(name: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  const path = join(folder, name);
  const fd = openSync(path, "wx");
  const zip = new ZipWriter(fd);
  for (const [file, bytes] of Object.entries(files)) await zip.add(file, bytes.length, [bytes]);
  zip.finish();
  closeSync(fd);
  return path;
}

async function found(path: string): Promise<FoundEntry[]> {
  const fd = openSync(path, "r");
  try {
    return await Array.fromAsync(readBackZip(fd));
  } finally {
    closeSync(fd);
  }
}

const files = {
  "a.txt": Buffer.from("one\n".repeat(50)),
  "empty.txt": Buffer.alloc(0),
  "ü/r.bin": Buffer.from([0, 255, 7]),
};

describe("an archive of our own", () => {
  it("is read back as another reader reads it, small entries and one that goes through in pieces", async () => {
    const large = Buffer.alloc((16 << 20) + 12_345, "line of a large file\n");
    const path = await written("good.zip", { ...files, "large.txt": large });
    const back = await found(path);
    expect(back.map(({ name }) => name)).toEqual([...Object.keys(files), "large.txt"]);
    expect(back).toEqual(await readArchive(path, { maxRatio: Infinity }));
  });

  it("any changed byte of its content, of a local name or of its end is found", async () => {
    const good = readFileSync(await written("source.zip", files));
    const places = {
      content: good.indexOf("a.txt") + 7,
      "local name": good.indexOf("a.txt"),
      "directory's size": good.length - 10,
      end: good.length - 22,
    };
    for (const [what, at] of Object.entries(places)) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 0x20;
      const path = join(folder, `bad-${at}.zip`);
      writeFileSync(path, bad);
      await expect(found(path), what).rejects.toThrow();
    }
    const short = join(folder, "short.zip");
    writeFileSync(short, good.subarray(0, 10));
    await expect(found(short)).rejects.toBeInstanceOf(UnsoundArchive);
  });

  it("has the wide records where the count or a place needs them", () => {
    expect(endRecords(10, 100, 1_000)).toHaveLength(22);
    const wide = endRecords(70_000, 100, 5_000_000_000);
    expect(wide.readUInt32LE(0)).toBe(signatures.end64);
    expect(wide.readBigUInt64LE(48)).toBe(5_000_000_000n);
    expect(wide.readUInt16LE(wide.length - 12)).toBe(0xffff);
  });
});
