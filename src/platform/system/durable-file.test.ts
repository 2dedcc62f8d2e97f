import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
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

/** The calls of a program that writes one file durably, in their order, with the n-th fsync failing when asked for. */
function traced(path: string, failing?: number): { calls: string[]; printed: string } {
  const trace = join(folder, "trace");
  const write = `import { writeDurably } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
    try { writeDurably(${JSON.stringify(path)}, ${JSON.stringify(`${path}.tmp`)}, Buffer.from("new")); console.log("written"); }
    catch (error) { console.log(error.code); }`;
  const fault = failing === undefined ? [] : ["-e", `inject=fsync:error=ENOSPC:when=${failing}`];
  const straceArgs = ["-f", "-y", "-o", trace, "-e", "trace=fsync,rename,renameat,renameat2", ...fault];
  const ran = spawnSync("strace", [...straceArgs, process.execPath, "--input-type=module", "-e", write], {
    encoding: "utf8",
  });
  const calls = readFileSync(trace, "utf8")
    .split("\n")
    .filter((line) => line.includes(folder))
    .map((line) => /\b(fsync\([^)]*\)|rename)/.exec(line)?.[1] ?? line);
  return { calls: calls.map((call) => call.replace(/\d+<(.*)>/, "$1")), printed: ran.stdout.trim() };
}

const strace = spawnSync("strace", ["-V"]).status === 0;

describe.skipIf(!strace)("[B-15] a durable file (needs strace)", () => {
  it("is synced before it gets its name, and its folder after that", () => {
    const path = join(folder, "record");
    const { calls, printed } = traced(path);
    expect(printed).toBe("written");
    expect(calls).toEqual([`fsync(${path}.tmp)`, "rename", `fsync(${folder})`]);
  });

  it("is not said to be written when one of the two syncs fails, and a file that is not synced gets no name", () => {
    const path = join(folder, "record");
    writeFileSync(path, "old");
    expect(traced(path, 1).printed).toBe("EIO");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(traced(path, 2).printed).toBe("EIO");
  });
});
