// How much of the program the quickest commands load, and how the compiled code is kept from one start to the next.
// `npm run bench` measures the time of a start.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
  const start = (env: NodeJS.ProcessEnv, cwd?: string) =>
    spawnSync(process.execPath, [installedBin(), "--version"], { cwd, env, encoding: "utf8" });
  const accepted = (text: string) => text.match(/code cache for CommonJS .* was accepted/g)?.length ?? 0;

  it("is taken from the user's own cache folder at the second start", () => {
    const env = { HOME: tempFolder(), NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
    const [first, second] = [start(env).stderr, start(env).stderr];
    expect(first).toContain(join(env.HOME, ".cache", "thehood", "compile-cache"));
    expect(accepted(first)).toBe(0);
    expect(accepted(second)).toBeGreaterThanOrEqual(2);
  });

  it("is never kept in the folder where a command runs", () => {
    const cwd = tempFolder();
    const env = { HOME: cwd, XDG_CACHE_HOME: ".cache", NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
    expect(start(env, cwd).stderr).not.toContain("compile cache");
  });

  it("need not be kept: a cache folder that cannot be written changes nothing", () => {
    const file = join(tempFolder(), "file");
    writeFileSync(file, "");
    const ran = start({ HOME: "/", XDG_CACHE_HOME: join(file, "under") });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});
