// The class of a failure, as a person and a program read it: in status, show, report, the list and the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

const begin = (desk: Desk, script: unknown, ...more: string[]) =>
  desk.thehood(["run", "fix add", "--team", "stub", "--approvals", "autopilot", ...stub(script), ...more]);

interface Shown {
  readonly state: string;
  readonly stopReason: string | null;
  readonly failureClass: string | null;
}

const jsonOf = (desk: Desk, ...args: string[]) => desk.thehood([...args, "--json"]).json<Shown>();

describe("failure classes", () => {
  it("[R-17] three broken answers in a row are a schema_failure wherever the run is shown", () => {
    const desk = openTestDesk();
    begin(desk, { repeatLast: true, roles: { orchestrator: [{ raw: "no JSON" }], planner: [{ raw: "no JSON" }] } });
    const { runs } = desk.thehood(["status", "--json"]).json<{ runs: (Shown & { runId: string })[] }>();
    const runId = runs[0]?.runId ?? "";
    expect(runs[0]?.failureClass).toBe("schema_failure");
    expect(jsonOf(desk, "status", runId).failureClass).toBe("schema_failure");
    expect(jsonOf(desk, "show", runId).failureClass).toBe("schema_failure");
    expect(desk.thehood(["status", runId]).out).toContain("class: schema_failure");
    expect(desk.thehood(["show", runId]).out).toContain("class: schema_failure");
    const page = join(desk.home, "run.html");
    expect(desk.thehood(["report", runId, "--html", page]).code).toBe(0);
    expect(readFileSync(page, "utf8")).toContain('"failureClass":"schema_failure"');
    // The run goes on; its report is written, or derived, at its end.
    expect(desk.thehood(["report", runId])).toMatchObject({
      code: 2,
      err: expect.stringContaining("has no final report yet"),
    });
    expect(desk.thehood(["abort", runId]).code).toBe(0);
    expect(desk.thehood(["report", runId]).out).toContain("**aborted** (user_abort");
  });

  it("[R-17] verified work has no class, and its report names the class of what was repaired on the way", () => {
    const desk = openTestDesk();
    const [good] = fixing.roles.implementer;
    const bad = { edits: [{ op: "write", path: "src/other.js", text: "export const other = (;\n" }] };
    const mend = { edits: [{ op: "delete", path: "src/other.js" }, ...(good?.edits ?? [])] };
    const passing = ["--check", "node --check src/other.js || test ! -e src/other.js"];
    begin(desk, { roles: { implementer: [bad, mend] } }, ...passing);
    // The check does not read what was changed: a doubt, about which the run asks once.
    desk.thehood(["approve", "--message", "apply isolated patch"]);
    const report = desk
      .thehood(["report", "--json"])
      .json<Shown & { revisionTrail: { failureClass: string | null }[] }>();
    expect(report).toMatchObject({ failureClass: null, stopReason: "completed_with_doubts" });
    expect(report.revisionTrail).toHaveLength(1);
    const named = report.revisionTrail[0]?.failureClass ?? "";
    expect(named).toMatch(/_failure$/);
    expect(desk.thehood(["report"]).out).toContain(`(${named})`);
    expect(desk.thehood(["status", "--verbose"]).out).not.toContain("class:");
  });

  it.each(["reject", "abort"])("[R-15] %s when no answers are left ends the run as failed, with its report", (word) => {
    const desk = openTestDesk();
    begin(desk, fixing, "--max-iterations", "1");
    expect(jsonOf(desk, "show")).toMatchObject({ state: "awaiting_approval", failureClass: "budget_exhausted" });
    const ended = desk.thehood([word]);
    expect(ended.code, ended.err).toBe(0);
    expect(jsonOf(desk, "show")).toMatchObject({
      state: "failed",
      stopReason: "max_iterations",
      failureClass: "budget_exhausted",
    });
    expect(desk.thehood(["report"]).out).toContain("**failed** (max_iterations, budget_exhausted)");
  });
});
