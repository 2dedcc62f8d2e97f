// Commands under the names that people know from other tools of this kind, through the real program.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub } from "./program.ts";

describe("commands under known names", () => {
  it("[R-45] [R-64] the board is exported, a loop is recommended, gates are listed, and a transfer is previewed", () => {
    const { thehood, repo } = openTestDesk();
    thehood(["teams", "apply", "stub"]);
    const { runId } = thehood(["run", "make add() add", "--json", ...stub(fixing)]).json<{ runId: string }>();
    const waiting = thehood(["approvals", "--json"]).json<{ items: object[] }>();
    expect(waiting.items).toMatchObject([{ runId, kind: "implementation_start", repo: repo.dir }]);
    const board = thehood(["agent-board", runId, "--artifact", "--json"]);
    expect(board.code, board.err).toBe(0);
    const shown = board.json<{ cards: { label: string }[]; artifact: string }>();
    expect(shown.cards).toHaveLength(9);
    expect(thehood(["artifact", runId, shown.artifact]).out).toContain('"cards"');
    const advice = thehood(["recommend-loop", "make the login test stable", "--json"]);
    expect(advice.code, advice.err).toBe(0);
    expect(JSON.stringify(advice.json())).toContain("thehood_");
    expect(thehood(["transfer", "preview", runId, "--json"]).json()).toMatchObject({ runId, manifest: null });
    thehood(["abort", runId]);
    expect(thehood(["approvals", "--json"]).json<{ items: object[] }>().items).toEqual([]);
  });

  it("[R-62] settings are read under their other names too", () => {
    const { thehood, home } = openTestDesk();
    mkdirSync(join(home, "config"), { recursive: true });
    writeFileSync(
      join(home, "config", "config.json"),
      JSON.stringify({ approvalPolicy: { mode: "autopilot" }, defaults: { fanoutMaxItems: 3 } }),
    );
    thehood(["teams", "apply", "stub"]);
    const done = thehood(["run", "make add() add", "--json", ...stub(fixing)]);
    expect(done.code, done.err).toBe(0);
    expect(done.json()).toMatchObject({ state: "completed" });
  });
});
