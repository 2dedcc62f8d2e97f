// A bare clone of the last commit, with nothing but git, Node and npm: installing, starting and testing work.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const project = resolve(import.meta.dirname, "../..");
const folder = tempFolder("thehood-clone-");

/** npm tells the scripts that it starts about itself; a user's shell does not. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD|VITEST|THEHOOD_|NODE_)/i.test(name)),
);
const npm = (...words: string[]) => spawnSync("npm", words, { cwd: folder, env, encoding: "utf8" });

describe.skipIf(!existsSync(join(project, ".git")))("a bare clone (needs a git checkout)", () => {
  beforeAll(() => void execFileSync("git", ["clone", "-q", project, folder]));

  it("[B-23] installs from its lock", { timeout: 900_000 }, () => {
    const { status, stderr } = npm("ci");
    expect({ status, refused: /EUSAGE|Missing/.test(stderr) }).toEqual({ status: 0, refused: false });
  });

  it("[B-23] shows a whole run with npm start", () => {
    const { status, stdout } = npm("start");
    expect(status).toBe(0);
    expect(stdout).toContain("Look further");
  });

  it("[B-23] runs tests with npm test and leaves the checkout as it was", () => {
    const { status, stdout } = npm("test", "--", "tests/architecture.test.ts");
    expect(stdout).toMatch(/\d+ passed, 0 failed/);
    expect(status).toBe(0);
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" })).toBe("");
  });
});
