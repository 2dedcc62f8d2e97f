import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { sites } from "../../../core/contract/transport/index.ts";
import { loadSite } from "./load.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";

let folder: string;
beforeEach(() => (folder = tempFolder("site-data-")));

function own(site: string, text: string): void {
  mkdirSync(join(folder, "sites"), { recursive: true });
  writeFileSync(join(folder, "sites", `${site}.json`), text);
}

describe("the data of a site", () => {
  it.each(sites)("%s has a version and a date, and a mark for every step that must be proved", (site) => {
    const data = loadSite(site, folder);
    expect(data.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const name of ["composer", "send", "turn", "done", "copy", "chip", "loggedIn", "loggedOut", "stop"] as const)
      expect(data.marks[name].length, name).toBeGreaterThan(0);
    for (const pattern of [data.conversation, ...data.login, ...data.marks.placeholder, ...data.marks.throttleText])
      expect(() => new RegExp(pattern)).not.toThrow();
  });

  it("a user's file changes single entries and leaves the rest", () => {
    own("chatgpt", JSON.stringify({ version: 7, marks: { send: ["#new"] }, times: { pollMs: 100 } }));
    const data = loadSite("chatgpt", folder);
    expect(data).toMatchObject({ version: 7, marks: { send: ["#new"] }, times: { pollMs: 100, holds: 3 } });
    expect(data.marks.composer[0]).toBe("#prompt-textarea");
    expect(data.override).toContain("chatgpt.json");
  });

  it.each([
    ["no JSON", "{"],
    ["a text where a list must be", JSON.stringify({ marks: { send: "#x" } })],
    ["a time below nothing", JSON.stringify({ times: { pollMs: -1 } })],
  ])("%s is refused with the name of the file", (_, text) => {
    own("gemini", text);
    expect(() => loadSite("gemini", folder)).toThrow(/gemini\.json/);
  });
});
