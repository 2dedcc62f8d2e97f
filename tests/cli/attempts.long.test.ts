// Several attempts at one goal, through the command line: made at once, compared, one taken, the others kept.
import { expect, it } from "vitest";
import { openTestDesk, stub, type Desk } from "./program.ts";

const fixed = { op: "replace", path: "src/add.js", find: "a - b", with: "a + b" };
const longer = { op: "append", path: "src/add.js", text: "// one\n// two\n" };
const changed = { payload: { changedFiles: ["src/add.js"] } };
/** `a` needs more lines than `c`, and `d` fails. */
const script = {
  models: {
    a: { implementer: [{ edits: [fixed, longer], ...changed }] },
    c: { implementer: [{ edits: [fixed], ...changed }] },
    d: { implementer: [{ status: "failed", summary: "could not" }] },
  },
};
const reviewers = ["orchestrator", "planner", "qa", "verifier", "critic"].flatMap((role) => [`--${role}`, "stub:b"]);

interface Row {
  readonly runId: string;
  readonly number: number;
  readonly agent: string;
  readonly standing: string;
  readonly doing: string;
}

const begin = (desk: Desk, ...more: string[]) =>
  desk.thehood(["run", "fix add", ...reviewers, ...stub(script), "--approvals", "autopilot", ...more]);
const rowsOf = (desk: Desk) => desk.thehood(["attempts", "--json"]).json<{ rows: readonly Row[] }>().rows;
const refs = ({ repo }: Desk) => repo.git("for-each-ref", "--format=%(refname)", "refs/thehood/keep");

it(
  "[B-36] three attempts: ranked by facts, one is taken, the others end with their reason and their work is kept",
  { timeout: 300_000 },
  () => {
    const desk = openTestDesk();
    const ran = begin(desk, "--teams", "stub:a,stub:c,stub:d", "--json");
    expect(ran.code, ran.err).toBe(3);
    const rows = rowsOf(desk);
    expect(rows.map(({ agent, standing }) => [agent, standing])).toEqual([
      ["stub:c", "ready"],
      ["stub:a", "ready"],
      ["stub:d", "ended"],
    ]);
    const [best, second] = rows;
    expect(ran.json<{ runId: string }>().runId).toBe(best?.runId);
    // The table stands at the question, and nothing was taken by itself.
    expect(desk.thehood(["status", best?.runId ?? ""]).out).toMatch(
      /▸1 run_\w+ +stub:c .*\n.*2 run_\w+ +stub:a .*\n.*3 run_\w+ +stub:d .*\n.*could not/,
    );
    expect(desk.repo.git("status", "--porcelain")).toBe("");
    const took = desk.thehood(["approve", best?.runId ?? "", "--message", "apply isolated patch"]);
    expect(took.code, took.err).toBe(0);
    expect(desk.repo.git("diff", "--stat")).toContain("1 insertion(+), 1 deletion(-)");
    const after = rowsOf(desk);
    expect(after.find(({ runId }) => runId === second?.runId)).toMatchObject({
      standing: "ended",
      doing: expect.stringMatching(/was taken: 2 changed lines against 4 changed lines/) as string,
    });
    expect(refs(desk)).toContain(second?.runId);
  },
);

it(
  "[B-36] none is taken while another one has no result, and none after another one was taken",
  { timeout: 300_000 },
  () => {
    const desk = openTestDesk();
    begin(desk, "--attempts", "2", "--implementer", "stub:c", "--no-loop");
    const [one = "", other = ""] = rowsOf(desk).map(({ runId }) => runId);
    expect(desk.thehood(["continue", one]).code).toBe(3);
    const early = desk.thehood(["approve", one, "--message", "apply isolated patch"]);
    expect([early.code, early.err]).toEqual([1, expect.stringContaining(`thehood abort ${other}`)]);
    expect(desk.thehood(["continue", other]).code).toBe(3);
    const took = desk.thehood(["approve", other, "--message", "apply isolated patch", "--no-continue"]);
    expect(took.code, took.err).toBe(0);
    expect(desk.thehood(["continue", other]).code).toBe(0);
    const late = desk.thehood(["approve", one, "--message", "apply isolated patch"]);
    expect(late.code).not.toBe(0);
    expect(rowsOf(desk).map(({ standing }) => standing)).toEqual(["taken", "ended"]);
  },
);
