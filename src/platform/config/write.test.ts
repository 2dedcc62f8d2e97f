import { lstatSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { repoConfig, userConfig } from "../../core/contract/index.ts";
import { createConfigFiles } from "./files.ts";
import { setConfigValues } from "./write.ts";

let dir = "";
beforeEach(() => {
  dir = tempFolder("config-");
});

describe("changing a configuration file", () => {
  it("makes the file readable by its owner alone", () => {
    const path = join(dir, "deep", "config.json");
    setConfigValues(path, userConfig, [[["roles", "qa"], "stub:default"]]);
    expect(createConfigFiles(join(dir, "deep")).user().roles).toEqual({ qa: "stub:default" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, "deep"))).toEqual(["config.json"]);
  });

  it("names the key that was meant where only its end was given", () => {
    const path = join(dir, "config.json");
    const set = () => setConfigValues(path, userConfig, [[["approvals"], "autopilot"]]);
    expect(set).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ remedy: expect.stringContaining("policy.approvals") }),
      }),
    );
  });

  it("keeps the file as it was before us for good, and the state before the last change beside it", () => {
    const path = join(dir, "config.json");
    const original = '{ "version": 1, "policy": { "approvals": "manual" } }\n';
    writeFileSync(path, original);
    for (const mode of ["autopilot", "auto_low_risk", "manual"])
      setConfigValues(path, userConfig, [[["policy", "approvals"], mode]]);
    expect(readFileSync(`${path}.before-thehood`, "utf8")).toBe(original);
    expect(readFileSync(`${path}.before-thehood-last`, "utf8")).toContain("auto_low_risk");
    expect(readdirSync(dir)).toHaveLength(3);
  });

  it("writes the file behind a link of the user's, and replaces a link in a repository", () => {
    const [kept, path, shared] = ["kept.json", "config.json", "thehood.json"].map((name) => join(dir, name));
    const [link = "", other = "", target = ""] = [path, shared, kept];
    writeFileSync(target, '{ "version": 1 }\n');
    for (const one of [link, other]) symlinkSync(target, one);
    setConfigValues(link, userConfig, [[["policy", "approvals"], "autopilot"]]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toContain("autopilot");
    setConfigValues(other, userConfig, [[["policy", "approvals"], "manual"]]);
    expect(lstatSync(other).isSymbolicLink()).toBe(false);
    expect(readFileSync(target, "utf8")).toContain("autopilot");
  });

  it("keeps comments and everything else", () => {
    const path = join(dir, "config.json");
    writeFileSync(path, '{\n  // mine\n  "version": 1,\n  "policy": { "approvals": "manual" }\n}\n');
    setConfigValues(path, userConfig, [[["policy", "approvals"], "autopilot"]]);
    expect(readFileSync(path, "utf8")).toBe(
      '{\n  // mine\n  "version": 1,\n  "policy": { "approvals": "autopilot" }\n}\n',
    );
  });

  it("says so when a folder of its path is a file", () => {
    writeFileSync(join(dir, "plain"), "");
    expect(() => setConfigValues(join(dir, "plain/config.json"), userConfig, [[["roles", "qa"], "stub:x"]])).toThrow(
      /something else is in its place/,
    );
  });

  it("says what a file lacks in words, and that there is nothing to take out", () => {
    const path = join(dir, "config.json");
    writeFileSync(path, '{ "version": }');
    expect(() => setConfigValues(path, userConfig, [[["roles", "qa"], "stub:x"]])).toThrow(/:1:14: value expected/);
    writeFileSync(path, "{}");
    expect(() => setConfigValues(path, userConfig, [[["roles", "qa"], undefined]])).toThrow(
      /Nothing is set at roles.qa/,
    );
  });

  it("changes nothing when the value or the file is wrong", () => {
    const path = join(dir, "config.json");
    writeFileSync(path, '{ "version": 1 }\n');
    expect(() => setConfigValues(path, userConfig, [[["roles", "qa"], "no-agent"]])).toThrow(/roles.qa/);
    expect(readFileSync(path, "utf8")).toBe('{ "version": 1 }\n');
    writeFileSync(path, "{ broken");
    expect(() => setConfigValues(path, userConfig, [[["roles", "qa"], "stub:default"]])).toThrow(/config.json:1:/);
    expect(readFileSync(path, "utf8")).toBe("{ broken");
  });

  it("[R-62] a repository's file cannot even say what would loosen the user's policy", () => {
    for (const policy of [
      { hostMayApprove: true },
      { discoverChecks: false },
      { editRequiresApproval: false },
      { directEdit: true },
    ])
      expect(repoConfig.safeParse({ version: 1, policy }).success).toBe(false);
  });
});
