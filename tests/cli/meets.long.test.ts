// Two runs that change one file: the question of one names the other, and the second is put on top of the first by its own
// worker and verified again.
import { expect, it } from "vitest";
import { openTestDesk, sample, stub, type Desk } from "./program.ts";

const files = { ...sample, "NOTES.md": "first line\n" };
const fixing = { op: "replace", path: "src/add.js", find: "a - b", with: "a + b" };
const noting = (text: string) => ({ op: "write", path: "NOTES.md", text });
const work = (...edits: readonly object[]) => ({ edits, payload: { changedFiles: ["src/add.js", "NOTES.md"] } });

/** The second worker brings both together when it is asked again. */
const first = { roles: { implementer: [work(fixing, noting("of the first\n"))] } };
const second = {
  roles: {
    implementer: [
      work(fixing, noting("of the second\n")),
      work({ op: "write", path: "NOTES.md", text: "of the first\nof the second\n" }),
    ],
  },
};
const toGate = (desk: Desk, goal: string, script: object): string => {
  const ran = desk.thehood(["run", goal, "--team", "stub", ...stub(script), "--json"]);
  const { runId } = ran.json<{ runId: string }>();
  return take(desk, runId, "thehood accepts the plan") === 3 ? runId : "";
};
const take = (desk: Desk, runId: string, message: string): number | null =>
  desk.thehood(["approve", runId, "--message", message]).code;

it(
  "the gate names the other run and the ways on; taking both brings the second one on top, verified again",
  { timeout: 300_000 },
  () => {
    const desk = openTestDesk(files);
    const one = toGate(desk, "fix add and note it", first);
    expect(desk.thehood(["status", one]).out).not.toContain("change the same");
    const other = toGate(desk, "fix add and note it differently", second);
    const shown = desk.thehood(["status", other]).out;
    expect(shown).toMatch(
      new RegExp(`${one} \\(fix add and note it\\) changes [^\n]*NOTES\\.md[^\n]* and waits for your decision`),
    );
    expect(shown).toContain("--branch NAME");
    expect(desk.thehood(["status", one]).out).toContain(other);
    expect(take(desk, one, "apply isolated patch")).toBe(0);
    expect(desk.thehood(["commit", one]).code).toBe(0);
    // Both cannot be: the worker of the second is asked again, its work is verified again, and the question comes again.
    expect(take(desk, other, "apply isolated patch")).toBe(3);
    expect(desk.thehood(["status", other]).out).not.toContain(one);
    expect(take(desk, other, "apply isolated patch")).toBe(0);
    expect(desk.repo.git("diff", "HEAD", "--", "NOTES.md")).toContain("+of the second");
    expect(desk.repo.git("show", "HEAD:NOTES.md")).toBe("of the first\n");
  },
);
