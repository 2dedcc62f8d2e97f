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
    const data = loadSite(site, { folder });
    expect(data.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const name of ["composer", "send", "turn", "done", "copy", "chip", "loggedIn", "loggedOut", "stop"] as const)
      expect(data.marks[name].length, name).toBeGreaterThan(0);
    for (const pattern of [data.conversation, ...data.login, ...data.marks.placeholder, ...data.marks.throttleText])
      expect(() => new RegExp(pattern)).not.toThrow();
  });

  it.each(sites)("%s: every entry has its sources, and every source its date or a word that it has none", (site) => {
    const { marks, sources, evidence, ...rest } = loadSite(site, { folder });
    const about = ["site", "version", "date", "name", "override"];
    const isUsed = (part: unknown) => typeof part !== "object" || Object.keys(part ?? {}).length > 0;
    const entries = [...Object.entries(marks), ...Object.entries(rest)]
      .filter(([name, part]) => !about.includes(name) && isUsed(part))
      .map(([name]) => name);
    expect(entries).toEqual(expect.arrayContaining(["composer", "login", "times"]));
    expect(entries.filter((name) => evidence[name] === undefined)).toEqual([]);
    const letters = Object.values(evidence).flatMap((list) => list.split(" "));
    expect(letters.filter((letter) => sources[letter] === undefined)).toEqual([]);
    for (const [letter, source] of Object.entries(sources))
      expect(/20\d\d/.test(source) || ["G", "N", "W"].includes(letter), source).toBe(true);
  });

  it("a conversation has a uuid where the site gives it one: a transient address is none", () => {
    const { conversation } = loadSite("chatgpt", { folder });
    expect("/c/WEB:0a1b2c3d-0000-4000-8000-000000000000").not.toMatch(new RegExp(conversation));
    expect("/g/g-p-1/c/0a1b2c3d-0000-4000-8000-000000000000").toMatch(new RegExp(conversation));
  });

  it("a file that the user points to wins, for its own site only", () => {
    own("chatgpt", JSON.stringify({ version: 7 }));
    const siteData = join(folder, "mine.json");
    writeFileSync(siteData, JSON.stringify({ site: "chatgpt", version: 9, evidence: { send: "M" } }));
    expect(loadSite("chatgpt", { folder, siteData })).toMatchObject({ version: 9, override: siteData });
    expect(loadSite("chatgpt", { folder, siteData }).evidence["composer"]).toBe("U");
    expect(loadSite("gemini", { folder, siteData }).override).toBeNull();
    expect(() => loadSite("chatgpt", { folder, siteData: join(folder, "gone.json") })).toThrow(/no such file/);
    writeFileSync(siteData, "{}");
    expect(() => loadSite("chatgpt", { folder, siteData })).toThrow(/for which site/);
  });

  it("a user's file changes single entries and leaves the rest", () => {
    own("chatgpt", JSON.stringify({ version: 7, marks: { send: ["#new"] }, times: { pollMs: 100 } }));
    const data = loadSite("chatgpt", { folder });
    expect(data).toMatchObject({ version: 7, marks: { send: ["#new"] }, times: { pollMs: 100, holds: 3 } });
    expect(data.marks.composer[0]).toBe("#prompt-textarea");
    expect(data.override).toContain("chatgpt.json");
  });

  it.each([
    ["no JSON", "{"],
    ["a text where a list must be", JSON.stringify({ marks: { send: "#x" } })],
    ["a time below nothing", JSON.stringify({ times: { pollMs: -1 } })],
    ["a pattern that is none", JSON.stringify({ marks: { errorText: ["("] } })],
    ["an address that is no pattern", JSON.stringify({ conversation: "[" })],
  ])("%s is refused with the name of the file", (_, text) => {
    own("gemini", text);
    expect(() => loadSite("gemini", { folder })).toThrow(/gemini\.json/);
  });

  it("an entry that there is not is refused with the one that was meant", () => {
    own("gemini", JSON.stringify({ marks: { sned: ["#x"] } }));
    expect(() => loadSite("gemini", { folder })).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          message: expect.stringContaining("no entry marks.sned"),
          remedy: expect.stringContaining("Did you mean send?"),
        }),
      }),
    );
  });
});
