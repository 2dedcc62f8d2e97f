// The package as a user gets it: packed, installed without a network into an empty folder, started and imported.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const project = resolve(import.meta.dirname, "../..");
const about = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as Record<string, unknown>;
const folder = tempFolder("thehood-package-");
let packed: { filename: string; size: number; files: { path: string }[] };

beforeAll(() => {
  // The programs are built already; prepack would build them again.
  const words = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  packed = JSON.parse(execFileSync("npm", words, { cwd: project, encoding: "utf8" }))[0];
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", packed.filename];
  execFileSync("npm", install, { cwd: folder, stdio: "ignore" });
});

describe("the package", () => {
  it("[B-23] is smaller than 2 MB and brings nothing else with it", () => {
    expect(packed.size).toBeLessThan(2_000_000);
    expect(about).not.toHaveProperty("dependencies");
    expect(about).not.toHaveProperty("optionalDependencies");
  });

  it("[B-23] carries its notices, its licence, its types and no leftovers of a clone", () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["THIRD_PARTY_NOTICES", "LICENSE", "README.md", "dist/index.js", "dist/thehood.js"]),
    );
    expect(paths.filter((path) => /\.d\.[cm]?ts$/.test(path))).toEqual(["dist/index.d.ts"]);
    expect(paths).toEqual(expect.arrayContaining(["dist/man/oracle.1", "dist/man/thehood.1"]));
    expect(paths.filter((path) => /^(?:src|tests|scripts|\.)|^dist\/\.built$/.test(path))).toEqual([]);
  });

  it("[B-23] says where it comes from", () => {
    for (const field of ["repository", "bugs", "homepage", "keywords", "license", "packageManager", "exports"])
      expect(about, field).toHaveProperty(field);
  });

  it.each(["thehood", "oracle"])("[B-23] starts %s once it is installed", (program) => {
    const ran = spawnSync(join(folder, "node_modules", ".bin", program), ["--version"], { encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(ran.stdout).toContain(about["version"]);
  });

  it("[B-23] can be imported and required", () => {
    const run = (...words: string[]) => execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8" }).trim();
    const imported = `import { version } from "thehood"; console.log(version)`;
    expect(run("--input-type=module", "-e", imported)).toBe(about["version"]);
    expect(run("--input-type=commonjs", "-e", `console.log(require("thehood").version)`)).toBe(about["version"]);
  });

  it("[B-23] has its types in one file below 300 kB that imports nothing", () => {
    const text = readFileSync(join(folder, "node_modules/thehood/dist/index.d.ts"), "utf8");
    expect(text.length).toBeLessThan(300_000);
    expect(text).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["']|\bzod\b|\bz\.\w|<reference/i);
  });

  it("[B-23] has types that a strict project accepts and that are not empty", () => {
    const compilerOptions = {
      module: "nodenext",
      target: "es2024",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      typeRoots: [join(project, "node_modules/@types")],
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    const compile = (source: string) => {
      writeFileSync(join(folder, "use.ts"), source);
      const tsc = join(project, "node_modules/typescript/bin/tsc");
      return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout;
    };
    const right = compile(`import { openHood, version, type InputOfOperation, type RunEvent } from "thehood";
      export const text: string = version;
      export const event: RunEvent["type"] = "run_created";
      const hood = openHood({ repo: "." });
      const input: InputOfOperation<"runs"> = { limit: 5 };
      export const total: number = (await hood.call("runs", input)).total;
      export const gate: string | undefined = (await hood.call("show", { runId: "r" })).view.gates[0]?.id;`);
    expect(right).toBe("");
    const wrong = compile(`import { openHood, version, type RunEvent } from "thehood";
      export const text: number = version;
      export const event: RunEvent["type"] = "no_such_event";
      const hood = openHood({ repo: "." });
      export const total: string = (await hood.call("runs", { limit: 5 })).total;
      await hood.call("runs", { limit: "5" });
      await hood.call("no such operation", {});`);
    expect(wrong.match(/use\.ts\(\d+/g)).toEqual([2, 3, 5, 6, 7].map((line) => `use.ts(${line}`));
  });
});
