// Runs that were stopped on their way: nothing of the user's is touched, and no work is lost.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

const goal = "make add() add";

describe("work that is kept", () => {
  it("[R-31] [S-6] a dirty file in the way blocks, nothing of the user's is touched, and the run goes on once it is away", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    thehood(["run", goal, ...stub(fixing)]);
    thehood(["approve"]);
    repo.write("src/add.js", "export const add = () => 'mine';\n");
    const blocked = thehood(["approve", "--message", "apply isolated patch", "--json"]);
    expect(blocked.code).toBe(3);
    expect(blocked.json<{ gate: { kind: string } }>().gate.kind).toBe("dirty_checkout_before_patch");
    expect(readFileSync(join(repo.dir, "src/add.js"), "utf8")).toBe("export const add = () => 'mine';\n");
    repo.git("checkout", "--", "src/add.js");
    expect(thehood(["approve", "--json"]).json()).toMatchObject({ state: "completed" });
  });

  it("a run whose loop was never finished is taken up again by continue", () => {
    const { thehood } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const { runId } = thehood(["run", goal, "--no-loop", "--approvals", "autopilot", "--json", ...stub(fixing)]).json<{
      runId: string;
    }>();
    expect(thehood(["continue", runId, "--json"]).json()).toMatchObject({ state: "completed" });
  });

  it("abort keeps the work, and the kept work can be listed and dropped", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    thehood(["run", goal, ...stub(fixing)]);
    thehood(["approve"]);
    expect(thehood(["abort", "--reason", "changed my mind"]).code).toBe(0);
    expect(thehood(["diff"]).out).toContain("+export const add = (a, b) => a + b;");
    const kept = thehood(["prune", "--json"]).json<{ kept: { ref: string }[] }>().kept;
    expect(kept.length).toBeGreaterThan(0);
    expect(repo.git("show", `${kept[0]?.ref}:src/add.js`)).toContain("a + b");
    expect(thehood(["prune", "--drop", "all"]).code).toBe(0);
    expect(thehood(["prune", "--json"]).json<{ kept: unknown[] }>().kept).toEqual([]);
    expect(repo.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  });

  it("prune takes away a worktree that a crash left behind, and pins what it holds first", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["init"]);
    const left = ".thehood/worktrees/run_000000gone/work";
    repo.git("worktree", "add", "-q", "--detach", left);
    writeFileSync(join(repo.dir, left, "notes.txt"), "precious\n");
    const first = thehood(["prune", "--json"]).json<{
      kept: { ref: string }[];
      swept: { removed: string[]; left: { reason: string }[] };
    }>();
    const held =
      first.swept.left.length > 0
        ? readFileSync(join(repo.dir, left, "notes.txt"), "utf8")
        : repo.git("show", `${first.kept[0]?.ref}:notes.txt`);
    expect(held).toBe("precious\n");
    expect(first.swept.removed.length + first.swept.left.length).toBe(1);
  });
});
