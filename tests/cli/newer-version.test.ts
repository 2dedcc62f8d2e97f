// A run that a newer program wrote: every command says so, with the event and what to do, and none of them crashes.
import { describe, expect, it } from "vitest";
import { locateRepository } from "../../src/platform/git/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { type Desk, openTestDesk } from "./program.ts";

/** Appends an event to the newest run of a desk, as another program would. */
async function append(desk: Desk, event: object): Promise<string> {
  const store = openStore(locateRepository(desk.repo.dir).stateDir, { clock: { now: () => Date.now() } });
  try {
    const [row] = await store.log.list({ limit: 1 });
    if (!row) throw new Error("there is no run");
    const { seq, updatedAt, ...kept } = row;
    const done = await store.log.append({
      runId: row.runId,
      expectedSeq: seq,
      at: updatedAt + 1,
      events: [event],
      row: kept,
    });
    expect(done.ok).toBe(true);
    return row.runId;
  } finally {
    await store.close();
  }
}

describe("a run that a newer version wrote", () => {
  it.each([
    ["a kind of event", { type: "quantum_leap", to: "tomorrow" }, '"quantum_leap" is not known'],
    [
      "a version of an event",
      { type: "state_changed", version: 2, from: "planning", to: "planning", pass: 0, why: "so" },
      '"state_changed" in version 2 is not known',
    ],
    [
      "a field of an event",
      {
        type: "state_changed",
        from: "planning",
        to: "planning",
        pass: 0,
        why: "so",
        onlyIf: { signed: true },
      },
      '"state_changed" holds onlyIf, which is not known',
    ],
  ])("[R-71] with %s that is not known is reported as such by every command", async (_what, event, message) => {
    const desk = openTestDesk();
    expect(desk.thehood(["plan", "look around", "--team", "stub"]).code).toBe(0);
    const runId = await append(desk, event);
    for (const args of [["status"], ["show"], ["logs"], ["continue"], ["watch"], ["report"], ["abort"]]) {
      const ran = desk.thehood([...args, runId, "--json"]);
      // The last line: `watch` shows what it can read before it.
      const output = JSON.parse(ran.out.trimEnd().split("\n").at(-1) ?? "") as object;
      expect({ args, code: ran.code, ...output }).toMatchObject({
        args,
        code: 1,
        ok: false,
        error: {
          code: "store_version",
          message: expect.stringContaining(message),
          remedy: expect.stringContaining("newer version"),
        },
      });
    }
    const verified = desk.thehood(["log", "verify", runId, "--json"]);
    expect(verified.code).toBe(5);
    expect(verified.json()).toMatchObject({
      ok: false,
      problems: [{ kind: "version", runId, problem: expect.stringContaining(message) }],
    });
    const listed = desk.thehood(["status", "--json"]);
    expect(listed.code).toBe(0);
    expect(listed.json()).toMatchObject({ runs: [{ runId }] });
  });
});
