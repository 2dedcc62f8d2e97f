// The figures of many runs through the real program.
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

interface Stats {
  readonly total: { readonly calls: number; readonly changedLines: number; readonly runs: object };
  readonly rows: { readonly name: string; readonly calls: number }[];
}

describe("thehood stats", () => {
  it("[B-12] counts accepted and refused runs, their calls by role, and the lines that were accepted", () => {
    const { thehood } = openTestDesk();
    expect(thehood(["stats"]).out).toBe("No run changed in the last 30 days.\n");
    const run = ["run", "make add() add", "--team", "stub", "--json", ...stub(fixing)];
    thehood([...run, "--approvals", "autopilot"]);
    thehood(run);
    thehood(["abort"]);
    const { total, rows } = thehood(["stats", "--by", "role", "--json"]).json<Stats>();
    expect(total).toMatchObject({ changedLines: 2, runs: { accepted: 1, refused: 1, open: 0 } });
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(total.calls);
    expect(rows.map(({ name }) => name)).toContain("verifier");
    const shown = thehood(["stats", "--everywhere", "--by", "repo"]).out;
    expect(shown).toContain("2 runs in 30 days: 1 accepted, 1 not, 0 open");
    expect(shown).toMatch(/planted mistakes were noticed/);
    expect(thehood(["stats", "--by", "mood"]).code).toBe(2);
  });
});
