// Two runs in a row, and nothing committed in between: the second one builds on the work of the first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestDesk, stub } from "./program.ts";

const file = "src/a.js";
const lines = "export const a = 1;\n\n\n\n\n\n\n\nexport const b = 1;\n";

it("[B-1] the second run works on what the first one integrated", () => {
  const desk = openTestDesk({
    "package.json": '{"name":"x","type":"module"}\n',
    [file]: lines,
  });
  const path = join(desk.repo.dir, file);
  const run = (find: string, text: string) => {
    const edits = [{ op: "replace", path: file, find, with: text }];
    const script = stub({ roles: { implementer: [{ edits, payload: { changedFiles: [file] } }] } });
    const ran = desk.thehood([
      "run",
      "x",
      "--team",
      "stub",
      "--approvals",
      "autopilot",
      "--no-checks",
      "--json",
      ...script,
    ]);
    return { ...ran.json<{ runId: string; state: string }>(), err: ran.err };
  };
  const first = run("a = 1", "a = 2");
  expect(first.state, first.err).toBe("completed");
  const second = run("b = 1", "b = 2");
  expect(second.state, second.err).toBe("completed");
  expect(readFileSync(path, "utf8")).toBe(lines.replace("a = 1", "a = 2").replace("b = 1", "b = 2"));
  // The change of the second run is its own alone.
  const { out } = desk.thehood(["diff", second.runId]);
  expect(out).toContain("+export const b = 2;");
  expect(out).not.toContain("+export const a = 2;");
});
