// The sessions of a home folder: those of another program, broken ones, and a folder that cannot be used.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { claimFolder, sessionFolder } from "./folder.ts";
import { listSessions, prunable, removeSession } from "./list.ts";
import { mustLoad } from "./record.ts";

let temp: string;
let home: string;
beforeEach(() => {
  temp = tempFolder();
  home = join(temp, "home");
});

const now = Date.now();
const put = (name: string, file: string, text: string) => {
  mkdirSync(join(home, "sessions", name), { recursive: true });
  writeFileSync(join(home, "sessions", name, file), text);
};

it("sessions of steipete/oracle are listed as such and never removed", () => {
  const meta = { status: "completed", createdAt: "2026-08-01T00:00:00Z", promptPreview: "hi", model: 5 };
  put("old-run", "meta.json", JSON.stringify(meta));
  expect(listSessions(home, now)).toMatchObject([
    { kind: "upstream", seen: { status: "completed", promptPreview: "hi", model: null } },
  ]);
  expect(prunable(home, { before: now, broken: true }, now + 3_600_000)).toEqual([]);
});

it("a session.json of an older version of steipete/oracle is its, and no command of ours changes it", () => {
  const record = { id: "old-one", status: "completed", createdAt: "2025-11-01T00:00:00Z", options: { prompt: "hi" } };
  put("old-one", "session.json", JSON.stringify(record));
  put("our-one", "session.json", JSON.stringify({ ...record, schemaVersion: 1 }));
  const listed = listSessions(home, now);
  expect(listed.map(({ folder, kind }) => [folder.id, kind])).toEqual([
    ["old-one", "upstream"],
    ["our-one", "unreadable"],
  ]);
  expect(prunable(home, { before: now, broken: true }, now)).toEqual(["our-one"]);
  expect(() => removeSession(home, "old-one", now)).toThrow(/a session of steipete/);
  expect(() => mustLoad(sessionFolder(home, "old-one"))).toThrow(/a session of steipete/);
});

it("broken sessions are removed with all, but not one that is being made", () => {
  put("broken-one", "session.json", "{");
  put("new-one", "output.log", "");
  expect(prunable(home, { before: now, broken: false }, now)).toEqual([]);
  expect(prunable(home, { before: now, broken: true }, now)).toEqual(["broken-one"]);
  expect(prunable(home, { before: now, broken: true }, now + 3_600_000)).toEqual(["broken-one", "new-one"]);
});

it.each([
  ["a file", () => writeFileSync(home, "")],
  ["a file in its place", () => (mkdirSync(home), writeFileSync(join(home, "sessions"), ""))],
  ["a link to nothing", () => symlinkSync(join(temp, "gone", "x"), home)],
])("a home that is %s is a failure with a remedy, not a fault", (_what, make) => {
  make();
  expect(() => claimFolder(home, "a-b-c")).toThrow(/Sessions cannot be stored in/);
});

it("a session that is not there is refused with the name of the one that was meant", () => {
  put("an-old-question", "session.json", "{}");
  const asked = (id: string) => () => mustLoad(sessionFolder(home, id));
  const remedy = (text: unknown) => expect.objectContaining({ failure: expect.objectContaining({ remedy: text }) });
  expect(asked("an-old")).toThrow(remedy(expect.stringMatching(/^Did you mean an-old-question\?/)));
  expect(asked("an-old-qestion")).toThrow(remedy(expect.stringMatching(/^Did you mean an-old-question\?/)));
  expect(asked("something-else")).toThrow(remedy("List them with: oracle status"));
  expect(() => removeSession(home, "an-old", now)).toThrow(/no session "an-old"/);
});
