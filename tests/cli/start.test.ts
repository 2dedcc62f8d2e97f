// How much of the program the quickest commands load, and how the compiled code is kept from one start to the next.
// `npm run bench` measures the time of a start.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { bin, openTestDesk } from "./program.ts";

const project = resolve(import.meta.dirname, "../..");

/** Tells, when the program ends, which scripts and which modules of Node it has loaded. */
const hook = `import { createRequire } from "node:module";
  const { cache } = createRequire(${JSON.stringify(bin)});
  process.on("exit", () => process.stderr.write(JSON.stringify([...Object.keys(cache), ...process.moduleLoadList])));`;

function loadedBy(args: readonly string[], { repo, env } = openTestDesk()): { files: string[]; modules: string[] } {
  const words = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, bin, ...args];
  const ran = spawnSync(process.execPath, words, { cwd: repo.dir, env, encoding: "utf8" });
  expect(ran.status).toBe(0);
  const loaded = JSON.parse(ran.stderr) as string[];
  return {
    files: loaded.filter((file) => file.startsWith(join(project, "dist"))),
    modules: loaded.filter((name) => name.startsWith("NativeModule ")).map((name) => name.split(" ")[1] ?? ""),
  };
}

/** The launcher as an installed package has it: without the clone's folder for made things. */
function installedBin(): string {
  const folder = tempFolder();
  cpSync(join(project, "bin"), join(folder, "bin"), { recursive: true });
  symlinkSync(join(project, "dist"), join(folder, "dist"));
  return join(folder, "bin", "thehood.js");
}

describe("what a start loads", () => {
  it.each([
    // The build has written this one down.
    { args: ["--help"], most: 10_000, files: 2 },
    // Every operation is one literal, and help is derived from all of them.
    { args: ["help"], most: 233_000, files: 7 },
    { args: ["status"], most: 200_000, files: 6 },
    { args: ["runs"], most: 200_000, files: 6 },
  ])("$args loads a few files and no schema library", ({ args, most, files: mostFiles }) => {
    const { files, modules } = loadedBy(args);
    const texts = files.map((file) => readFileSync(file, "utf8"));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThanOrEqual(mostFiles);
    expect(texts.join("").length).toBeLessThan(most);
    expect(texts.some((text) => text.includes("ZodError"))).toBe(false);
    expect(modules).toContain("fs");
    expect(modules.filter((name) => ["crypto", "zlib", "child_process", "http"].includes(name))).toEqual([]);
  });

  it("the status of one run loads no schema library, and no judge of secrets for the run's id", () => {
    const desk = openTestDesk();
    const { runId } = desk.thehood(["plan", "x", "--team", "stub", "--json"]).json<{ runId: string }>();
    const { files } = loadedBy(["status", runId], desk);
    const texts = files.map((file) => readFileSync(file, "utf8"));
    expect(texts.some((text) => text.includes("ZodError"))).toBe(false);
    expect(files.filter((file) => file.includes("secrets"))).toEqual([]);
  });

  it.each(["thehood", "oracle"])("the help of %s that the build wrote is the derived one", (program) => {
    const { env } = openTestDesk();
    const outputOf = (word: string, more: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, [join(project, "bin", `${program}.js`), word], {
        env: { ...env, ...more },
        encoding: "utf8",
      });
    for (const more of [{}, { FORCE_COLOR: "1" }, { FORCE_COLOR: "1", NO_COLOR: "1" }]) {
      const [stored, derived] = [outputOf("--help", more), outputOf("help", more)];
      expect(stored).toMatchObject({ status: 0, stderr: "", stdout: derived.stdout });
      expect(stored.stdout).toContain(program === "oracle" ? "Exit codes" : "--help --all");
    }
  });

  it.each([["check", "command", "ls -la"], ["status"], ["doctor"]])(
    "%s prints nothing on stderr but what we say",
    (...args) => expect(openTestDesk().thehood(args).err).toBe(""),
  );
});

describe("the compiled code", () => {
  /** Prints for each file of ours that is compiled whether V8 took the code that was kept for it. */
  const watch = `const vm = require("node:vm"); const { Script } = vm; const seen = [];
    vm.Script = class extends Script { constructor(text, options) { super(text, options); seen.push(this.cachedDataRejected); } };
    process.on("exit", () => process.stderr.write(seen.map((rejected) => (rejected === false ? "kept " : "new ")).join("")));`;
  const watcher = join(tempFolder(), "watch.cjs");
  writeFileSync(watcher, watch);

  const start = (env: NodeJS.ProcessEnv, cwd?: string) =>
    spawnSync(process.execPath, ["--require", watcher, installedBin(), "--version"], { cwd, env, encoding: "utf8" });
  const folderOf = (home: string) => join(home, ".cache", "thehood", "compile-cache");
  const version = /^\d+\.\d+\.\d+/;

  it("is taken from the user's own cache folder at the second start; other users cannot read it", () => {
    const HOME = tempFolder();
    expect(start({ HOME }).stderr).toMatch(/^(new ){3,}$/);
    expect(start({ HOME }).stderr).toMatch(/^(kept ){3,}$/);
    const names = readdirSync(folderOf(HOME));
    expect(names).toHaveLength(1);
    const modes = [folderOf(HOME), join(folderOf(HOME), names[0] ?? "")].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  it("is never kept in the folder where a command runs", () => {
    const cwd = tempFolder();
    expect(start({ HOME: cwd, XDG_CACHE_HOME: ".cache" }, cwd).stdout).toMatch(version);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("is not kept where Node's own variable says so", () => {
    const HOME = tempFolder();
    expect(start({ HOME, NODE_DISABLE_COMPILE_CACHE: "1" }).stdout).toMatch(version);
    expect(readdirSync(HOME)).toEqual([]);
  });

  it.each(["file/under", "/proc"])("need not be kept: %s, which cannot be written, changes nothing", (place) => {
    const folder = tempFolder();
    writeFileSync(join(folder, "file"), "");
    const ran = start({ HOME: "/", XDG_CACHE_HOME: resolve(folder, place) });
    expect(ran.status).toBe(0);
    expect(ran.stdout).toMatch(version);
  });

  /** Each makes the folder, or the file in it, one that another user could have written. */
  const openings: readonly (readonly [string, (folder: string, file: string) => void])[] = [
    ["a folder that the group can write", (folder) => chmodSync(folder, 0o770)],
    ["a folder that all can write, as /tmp", (folder) => chmodSync(folder, 0o1777)],
    ["a file that others can write", (_, file) => chmodSync(file, 0o602)],
    [
      "a link to a file",
      (folder, file) => {
        renameSync(file, `${folder}.moved`);
        symlinkSync(`${folder}.moved`, file);
      },
    ],
    [
      "a link to a folder",
      (folder) => {
        renameSync(folder, `${folder}.moved`);
        symlinkSync(`${folder}.moved`, folder);
      },
    ],
  ];
  it.each(openings)("is not taken from a place that others can write: %s", (_, open) => {
    const HOME = tempFolder();
    start({ HOME });
    expect(start({ HOME }).stderr).toMatch(/^(kept ){3,}$/);
    const [name = ""] = readdirSync(folderOf(HOME));
    open(folderOf(HOME), join(folderOf(HOME), name));
    const ran = start({ HOME });
    expect(ran.stdout).toMatch(version);
    expect(ran.stderr).not.toContain("kept");
  });

  it.skipIf(process.geteuid?.() !== 0)("is not taken from another user (needs root)", () => {
    const HOME = tempFolder();
    start({ HOME });
    const [name = ""] = readdirSync(folderOf(HOME));
    const file = join(folderOf(HOME), name);
    chownSync(file, 65_534, 65_534);
    expect(start({ HOME }).stderr).toMatch(/^(new ){3,}$/);
    // The file was written anew, as ours.
    expect(statSync(file).uid).toBe(0);
    expect(start({ HOME }).stderr).toMatch(/^(kept ){3,}$/);
    chownSync(folderOf(HOME), 65_534, 65_534);
    expect(start({ HOME }).stderr).not.toContain("kept");
  });

  it("leaves no files of processes that were killed while they wrote it", () => {
    const HOME = tempFolder();
    start({ HOME });
    const [name = ""] = readdirSync(folderOf(HOME));
    for (let pid = 1; pid <= 70; pid += 1) writeFileSync(join(folderOf(HOME), `${name}.${pid}`), "half");
    // Made anew, because it is damaged.
    writeFileSync(join(folderOf(HOME), name), "");
    start({ HOME });
    expect(readdirSync(folderOf(HOME))).toEqual([name]);
  });

  const damages: readonly (readonly [string, (bytes: Buffer<ArrayBuffer>) => Buffer])[] = [
    ["empty", () => Buffer.alloc(0)],
    ["cut off", (bytes) => bytes.subarray(0, bytes.length - 4_096)],
    ["longer", (bytes) => Buffer.concat([bytes, Buffer.alloc(512)])],
    ["zeros", (bytes) => Buffer.alloc(bytes.length)],
    ["its head alone", (bytes) => bytes.subarray(0, 16)],
    ["a list that is no JSON", (bytes) => bytes.fill(0x7b, 16, 24)],
    ["one byte", (bytes) => bytes.fill((bytes[30_000] ?? 0) ^ 1, 30_000, 30_001)],
    // Sectors of the disk, as damaged ones read.
    ["a sector of zeros", (bytes) => bytes.fill(0, 20_480, 20_992)],
    ["a sector of ones", (bytes) => bytes.fill(0xff, 40_960, 41_472)],
  ];
  it.each(damages)("is made anew when its file is damaged: %s", (_, damage) => {
    const HOME = tempFolder();
    start({ HOME });
    const [name = ""] = readdirSync(folderOf(HOME));
    const path = join(folderOf(HOME), name);
    writeFileSync(path, damage(readFileSync(path)));
    const ran = start({ HOME });
    expect(ran).toMatchObject({ status: 0, signal: null });
    expect(ran.stdout).toMatch(version);
    expect(ran.stderr).toMatch(/^(new ){3,}$/);
    expect(start({ HOME }).stderr).toMatch(/^(kept ){3,}$/);
  });

  /** Loads an entry with one chunk of this text. */
  function startOf(folder: string, home: string, name: string, text: string) {
    const [loader, entry] = [join(project, "bin", "load.js"), join(folder, "entry.js")];
    writeFileSync(entry, `require("./chunk-${name}.js");`);
    writeFileSync(join(folder, `chunk-${name}.js`), text);
    const program = `require(${JSON.stringify(loader)}).load(${JSON.stringify(entry)}, ${JSON.stringify(home)});`;
    return spawnSync(process.execPath, ["--require", watcher, "-e", program], { encoding: "utf8" });
  }

  it.each([
    [
      "one byte",
      (bytes: Buffer) => bytes.fill((bytes.at(-20_000) ?? 0) ^ 1, bytes.length - 20_000, bytes.length - 19_999),
    ],
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ] as const)("is made anew when a large file is damaged: %s", (_, damage) => {
    const [dist, HOME] = [tempFolder(), tempFolder()];
    const functions = Array.from({ length: 8_000 }, (__, at) => `const f${at} = (a) => a + ${at}; sum += f${at}(1);`);
    const text = `let sum = 0;\n${functions.join("\n")}\nprocess.stdout.write(String(sum));`;
    const run = () => startOf(dist, HOME, "a", text);
    const stdout = String((8_000 * 8_001) / 2);
    expect(run()).toMatchObject({ stdout, stderr: "new new " });
    const path = join(HOME, readdirSync(HOME)[0] ?? "");
    expect(statSync(path).size).toBeGreaterThan(1_048_576);
    expect(run()).toMatchObject({ stdout, stderr: "kept kept " });
    writeFileSync(path, damage(readFileSync(path)));
    expect(run()).toMatchObject({ status: 0, signal: null, stdout, stderr: "new new " });
    expect(run()).toMatchObject({ stdout, stderr: "kept kept " });
  });

  it("is not that of another build: the entry names its files by what is in them", () => {
    const [dist, HOME] = [tempFolder(), tempFolder()];
    const run = (name: string) => startOf(dist, HOME, name, `process.stdout.write("${name}");`).stdout;
    expect(["a", "a", "b", "b", "a"].map(run)).toEqual(["a", "a", "b", "b", "a"]);
  });

  it("is kept by several starts at once", async () => {
    const HOME = tempFolder();
    const bins = Array.from({ length: 6 }, installedBin);
    const codes = bins.map(async (path) => {
      const [code] = await once(
        spawn(process.execPath, ["--require", watcher, path, "--version"], { env: { HOME } }),
        "exit",
      );
      return code as number;
    });
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(start({ HOME }).stderr).toMatch(/^(kept ){3,}$/);
    expect(readdirSync(folderOf(HOME))).toHaveLength(1);
  });
});
