import { describe, expect, it } from "vitest";
import type { FullView, RepositoryRuns } from "../../../operations/index.ts";
import { endText } from "./end-text.ts";

const doubt = {
  kind: "unreached",
  place: "src/round.ts:12 roundHalfAwayFromZero in a long path",
  measure: "",
  text: "",
};

interface Ended {
  readonly branch?: string;
  readonly changedPaths?: readonly string[];
  readonly undone?: boolean;
  readonly doubts?: readonly object[];
}

/** The lines at the end of a run on a terminal of 80 columns. */
async function endOf({ branch, changedPaths = ["sum.go"], undone = false, doubts = [] }: Ended): Promise<string[]> {
  const report = {
    goal: "Ignore commas and semicolons between the numbers that are summed, and round the result to two places",
    stopReason: "verifier",
    doubts,
    claims: [{ statement: "The checks pass.", standing: "proven" }],
    changedPaths,
    spent: { workingMs: 107_000, cost: { usd: 0.34 } },
  };
  const view = {
    work: { files: 2, added: 9, removed: 1, checks: 3, passing: 3, planted: 6, noticed: 5 },
    crew: [{ role: "verifier", assignment: "claude-code:sonnet" }],
    lanes: [{ id: "verifier", state: "satisfied" }],
    deliver: { branch: branch ?? null, commit: false },
    undo: undone ? { state: "done" } : null,
  } as unknown as FullView;
  const runs = {
    report: async () => ({ report: { ref: "sha256:0" } }),
    artifact: async () => ({ bytes: new TextEncoder().encode(JSON.stringify(report)) }),
    full: async () => view,
  } as unknown as RepositoryRuns;
  const text = await endText(runs, { runId: "run_1", columns: 80, color: false, spell: () => "" });
  return text.trimEnd().split("\n");
}

describe("[B-32] the end of a run", () => {
  it("takes at most five rows of 80 columns, also with a long goal and doubts", async () => {
    const lines = await endOf({ doubts: [doubt, doubt] });
    expect(lines.length).toBeLessThanOrEqual(5);
    expect(lines.filter((one) => one.length > 80)).toEqual([]);
    expect(lines.join("\n")).not.toMatch(/undefined|\[object|NaN/);
  });

  it("offers what fits where the work is", async () => {
    expect((await endOf({})).at(-1)).toBe("  git diff · thehood commit · thehood undo · thehood report");
    expect((await endOf({ branch: "fix/add" })).at(-1)).toBe(
      "  git show fix/add · git checkout fix/add · thehood pr · thehood report",
    );
    expect((await endOf({ changedPaths: [] })).at(-1)).toBe("  thehood report");
    expect((await endOf({ undone: true })).at(-1)).toBe("  thehood report");
  });

  it("keeps time, size and whole commands where the name of the branch is long", async () => {
    const lines = await endOf({ branch: "add-a-function-that-multiplies-numbers", doubts: [doubt] });
    expect(lines[0]).toMatch(/^\? Done with doubts in 1 min 47 s, \$0\.34 .*2 files \+9 −1, on its branch$/);
    expect(lines.at(-1)).toBe("  git show add-a-function-that-multiplies-numbers · thehood pr · thehood report");
    expect((await endOf({ branch: "fix/add" }))[0]).toMatch(/, on branch fix\/add$/);
  });

  it("quotes a branch name that a shell would read as more than a name", async () => {
    expect((await endOf({ branch: "fix;rm$x" })).at(-1)).toContain("git show 'fix;rm$x'");
  });
});
