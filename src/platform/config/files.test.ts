import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createConfigFiles } from "./index.ts";

function folder(): string {
  const made = tempFolder("config-files-");
  return made;
}

describe("the configuration files of a process", () => {
  it("are parsed once, and again when they have changed", () => {
    const home = folder();
    const files = createConfigFiles(home);
    expect(files.user()).toEqual({ version: 1 });
    writeFileSync(files.userFile(), '{ "policy": { "approvals": "autopilot" } }');
    const first = files.user();
    expect(first.policy).toEqual({ approvals: "autopilot" });
    // The very same value: nothing was read in between.
    expect(files.user()).toBe(first);
    expect(files.at(folder()).user).toBe(first);
    writeFileSync(files.userFile(), '{ "policy": { "approvals": "manual" } }');
    expect(files.user().policy).toEqual({ approvals: "manual" });
    rmSync(files.userFile());
    expect(files.user()).toEqual({ version: 1 });
  });

  it("one that is broken says so each time, until it is mended", () => {
    const home = folder();
    const files = createConfigFiles(home);
    writeFileSync(files.userFile(), "{ broken");
    for (const _ of [1, 2]) expect(() => files.user()).toThrow(/config.json:1:/);
    writeFileSync(files.userFile(), "{}");
    expect(files.user()).toEqual({ version: 1 });
  });

  it("are written with several values at once or none, the old file kept, its mode too", () => {
    const repo = folder();
    const files = createConfigFiles(folder());
    files.set("repo", repo, [
      [["roles", "qa"], "stub:a"],
      [["roles", "critic"], "stub:b"],
    ]);
    expect(files.at(repo).repo.roles).toEqual({ qa: "stub:a", critic: "stub:b" });
    expect(readdirSync(join(repo, ".thehood"))).toEqual(["config.json"]);
    const path = files.repoFile(repo);
    const before = readFileSync(path, "utf8");
    expect(() =>
      files.set("repo", repo, [
        [["roles", "qa"], "stub:c"],
        [["roles", "critic"], "no-agent"],
      ]),
    ).toThrow(/roles.critic cannot be set/);
    expect(readFileSync(path, "utf8")).toBe(before);
    files.set("repo", repo, [[["roles", "qa"], "stub:c"]]);
    expect(readFileSync(`${path}.before-thehood`, "utf8")).toBe(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}.before-thehood`).mode & 0o777).toBe(0o600);
  });

  it("a repository's folder that is a file has no configuration, and gets none", () => {
    const repo = folder();
    const files = createConfigFiles(folder());
    writeFileSync(join(repo, ".thehood"), "");
    expect(files.at(repo).repo).toEqual({ version: 1 });
    expect(() => files.set("repo", repo, [[["roles", "qa"], "stub:a"]])).toThrow(/something else is in its place/);
    mkdirSync(join(files.userFile(), "nested"), { recursive: true });
    expect(() => files.user()).toThrow(/Cannot read/);
  });
});
