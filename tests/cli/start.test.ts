// How much of the program the quickest commands load. What they cost in time is measured by `npm run bench`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { bin, openTestDesk } from "./program.ts";

const loader = resolve(import.meta.dirname, "../../bin/load.js");

interface Loaded {
  readonly file: string;
  /** Whether V8 took the code that the build kept of it. */
  readonly kept: boolean;
}

/** Tells, when the program ends, which of its files it has loaded. */
const tell = `process.on("exit", () => {
  const { loaded } = require(${JSON.stringify(loader)});
  const told = [...loaded].map(([file, { script }]) => ({ file, kept: script.cachedDataRejected === false }));
  process.stderr.write(JSON.stringify(told));
})`;
const hook = `data:text/javascript,${encodeURIComponent(`import { createRequire } from "node:module"; const require = createRequire(${JSON.stringify(loader)}); ${tell}`)}`;

function loadedBy(...args: string[]): Loaded[] {
  const { repo, env } = openTestDesk();
  const ran = spawnSync(process.execPath, ["--import", hook, bin, ...args], {
    cwd: repo.dir,
    env,
    encoding: "utf8",
  });
  expect(ran.status).toBe(0);
  return JSON.parse(ran.stderr) as Loaded[];
}

describe("what a start loads", () => {
  it.each([
    { args: ["--help"], most: 80_000 },
    { args: ["status"], most: 160_000 },
    { args: ["runs"], most: 160_000 },
  ])("$args loads a few files and no schema library", ({ args, most }) => {
    const texts = loadedBy(...args).map(({ file }) => readFileSync(file, "utf8"));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThanOrEqual(5);
    expect(texts.join("").length).toBeLessThan(most);
    expect(texts.some((text) => text.includes("ZodError"))).toBe(false);
  });

  it("a run is loaded from the kept code of every file", () => {
    const files = loadedBy("teams", "apply", "stub");
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter(({ kept }) => !kept)).toEqual([]);
  });

  it.each([["check", "command", "ls -la"], ["status"], ["doctor"]])(
    "%s prints nothing on stderr but what we say",
    (...args) => expect(openTestDesk().thehood(args).err).toBe(""),
  );
});
