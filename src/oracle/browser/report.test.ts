// Reports and data files are made of what lies on the disk, also when a crash or somebody else left something else there.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { draftData } from "./check.ts";
import { makeReport } from "./report.ts";

function failedSession(record: string | null) {
  const home = tempFolder("report-");
  const folders = { sessions: join(home, "sessions"), folder: join(home, "browser") };
  mkdirSync(join(folders.sessions, "abc"), { recursive: true });
  writeFileSync(join(folders.sessions, "abc", "failure-composer.html"), "<p>Jo's text</p>");
  if (record !== null) writeFileSync(join(folders.sessions, "abc", "session.json"), record);
  return folders;
}

it.each([[null], ["{"], ["null"], ["[]"], ['{"options":{"browser":{"site":"elsewhere"}}}']])(
  "a session whose record is %j is reported, and the report says what is missing",
  (record) => {
    const { report, page, session } = makeReport(failedSession(record), null);
    expect(session).toBe("abc");
    expect(readFileSync(report, "utf8")).toContain("cannot be read");
    expect(readFileSync(page ?? "", "utf8")).toBe("<p>xx'x xxxx</p>");
  },
);

it("the report of a whole record has its site, code and message", () => {
  const error = { code: "page_changed", message: "No composer. Saved: /a/b" };
  const record = JSON.stringify({ options: { browser: { site: "gemini" } }, error });
  const text = readFileSync(makeReport(failedSession(record), "abc").report, "utf8");
  expect(text).toContain("# gemini: page_changed");
  expect(text).toContain("- message: No composer.\n");
});

it.each(["../sessions/abc", "..", ".", "", "abc/", "/etc"])("%j is the name of no session", (named) => {
  expect(() => makeReport(failedSession("{}"), named)).toThrow(/no failed step/);
});

const check = { url: "https://chatgpt.com/", parts: [{ name: "send", found: null, holds: true }] };

it.each([
  ["null"],
  ["{"],
  ['{"at":5}'],
  [JSON.stringify({ at: "2026-11-18T00:00:00.000Z", check: { ...check, url: "no address" }, suggestions: [] })],
])("a stored check that reads %s is none", (text) => {
  const { folder } = failedSession(null);
  mkdirSync(join(folder, "reports"), { recursive: true });
  writeFileSync(join(folder, "reports", "check-chatgpt.json"), text);
  expect(() => draftData({ folder }, "chatgpt")).toThrow(/no check of a site/);
});

it("a guess stands in front of the known selectors, with the check as its source", () => {
  const { folder } = failedSession(null);
  mkdirSync(join(folder, "reports"), { recursive: true });
  const suggestions = [{ name: "send", selectors: ["#go"] }];
  const stored = { at: "2026-11-18T00:00:00.000Z", check, suggestions };
  writeFileSync(join(folder, "reports", "check-chatgpt.json"), JSON.stringify(stored));
  const { data, changed } = draftData({ folder }, "chatgpt");
  expect(changed).toEqual(["send"]);
  const draft = JSON.parse(readFileSync(data, "utf8")) as { marks: { send: string[] }; evidence: object };
  expect(draft.marks.send[0]).toBe("#go");
  expect(draft.evidence).toEqual({ send: "M" });
});
