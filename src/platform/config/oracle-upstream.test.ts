// The config of steipete/oracle, read as ours.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { readOracleConfigs } from "./oracle.ts";

function configs(user: string, project = "{}") {
  const folder = tempFolder();
  const home = join(folder, "home");
  mkdirSync(join(folder, "repo", ".git"), { recursive: true });
  mkdirSync(join(folder, "repo", ".oracle"));
  mkdirSync(home);
  writeFileSync(join(home, "config.json"), user);
  writeFileSync(join(folder, "repo", ".oracle", "config.json"), project);
  return readOracleConfigs(home, join(folder, "repo"));
}

it("takes its JSON5 and its keys, and names the others once", () => {
  const read = configs(`{
    // my settings
    model: 'gpt-5.5-pro', engine: "browser",
    heartbeatSeconds: 15, "url": "http://x: y",
    browser: { chatgptUrl: "https://chatgpt.com/g/g-p-1/project", manualLogin: true, bundleFormat: "auto" },
    notify: { enabled: true }, search: "on",
  }`);
  expect(read.user).toEqual({
    model: "gpt-5.5-pro",
    engine: "browser",
    heartbeat: 15,
    browserUrl: "https://chatgpt.com/g/g-p-1/project",
    notify: true,
    search: true,
  });
  expect(read.notes).toHaveLength(1);
  expect(read.notes[0]).toMatch(/no effect here: url, browser\.manualLogin, browser\.bundleFormat$/);
});

it("a project's file never says where data goes, and does not end a command", () => {
  const read = configs(
    "{}",
    '{ "model": "gpt-5.5", "browser": { "chatgptUrl": "https://evil.example" }, "apiBaseUrl": "x" }',
  );
  expect(read.project).toEqual({ model: "gpt-5.5" });
  expect(read.notes[0]).toMatch(/browser\.chatgptUrl, apiBaseUrl/);
});

it("a key of ours with a wrong value is still an error with its place", () => {
  expect(() => configs('{\n  "secretScan": "yes"\n}')).toThrow(/config\.json:2:/);
});
