import { describe, expect, it } from "vitest";
import type { Policy } from "../contract/index.ts";
import { type Cast, Play, autopilot, deps } from "../../../tests/support/play.ts";
import { currentFlags, flags } from "./flags.ts";
import { openGates } from "./index.ts";
import { readRunEvent, unknownIn } from "./known-events.ts";

/** A run whose work takes tests away from a check that was waived when the run was started. */
const fewerTests = (newRunFlags?: readonly number[]) =>
  new Play(
    { policy: { ...autopilot, waivedChecks: ["npm run test"] } },
    { testsRun: (variant) => (variant === "base" ? 3 : 1) },
    newRunFlags === undefined ? deps : { ...deps, newRunFlags },
  ).go();

describe("flags of the rules", () => {
  it("[R-71] have numbers of their own, a version and a reason", () => {
    const all = Object.values(flags);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id, since, reason } of all) {
      expect(id).toBeGreaterThan(0);
      expect(since).toMatch(/^\d+\.\d+\.\d+$/);
      expect(reason.length).toBeGreaterThan(40);
    }
  });

  it("[R-71] are recorded when a run is created, and a run without them looks as 0.1.0 wrote it", () => {
    expect(fewerTests().of("run_created")[0]).toMatchObject({ version: 2, flags: [...currentFlags] });
    const old = fewerTests([]).of("run_created")[0];
    expect(old).toMatchObject({ version: 1 });
    expect(old).not.toHaveProperty("flags");
  });

  it.each([
    { name: "without flag 1", given: [], waived: 1, state: "completed" },
    { name: "with flag 1", given: [1], waived: 0, state: "awaiting_approval" },
    { name: "in a run of this version", given: undefined, waived: 0, state: "awaiting_approval" },
  ])("[R-33] $name a check with fewer tests leads to $state", ({ given, waived, state }) => {
    const play = fewerTests(given);
    expect(play.of("validation_waived")).toHaveLength(waived);
    expect(play.state).toBe(state);
    expect(play.gate).toBe(state === "awaiting_approval" ? "validation_waiver" : undefined);
  });
});

describe("the reason of a check that is no plain pass [R-33]", () => {
  const told = (result: "not_started" | "timed_out", note: string, given?: readonly number[]) => {
    const chosen = given === undefined ? deps : { ...deps, newRunFlags: given };
    const play = new Play({ policy: autopilot }, { result: () => result, note }, chosen).go();
    if (play.gate === "implementation_start") play.answer("approve").go();
    expect(play.gate).toBe("validation_waiver");
    return JSON.stringify(play.log);
  };

  it("stands in the finding and at the gate, with the setting that decides about it", () => {
    const missing = told("not_started", "needs xo, which is not here");
    expect(missing).toContain(
      "could not be run (needs xo, which is not here), so it says nothing about the work.",
    );
    expect(missing).toContain("could not be run: needs xo, which is not here.");
    const late = told("timed_out", "did not end within its 2000 ms");
    expect(late).toContain("did not end in its time, before this work and after it");
    expect(late).toContain("policy.budgets.checkTimeoutMs");
  });

  it("is not told in a run that was created without flag 2", () => {
    const old = told("not_started", "needs xo, which is not here", [1]);
    expect(old).toContain("stands at not_run; it was not broken by this work");
    expect(old).not.toContain("could not be run: needs xo");
  });
});

describe("numbers at a gate", () => {
  it("[B-4] are said in plain words, and stay as they were in a run of an earlier version", () => {
    const sheet = (newRunFlags: readonly number[]) => {
      const play = new Play({}, {}, { ...deps, newRunFlags }).go().answer("approve").go();
      return play.of("approval_required").at(-1)?.gate.subject.text ?? "";
    };
    expect(sheet(currentFlags)).toContain("3 lines added, 1 removed, in 1 path:");
    const old = currentFlags.filter((id) => id !== flags.numbersInPlainWords.id);
    expect(sheet(old)).toContain("3 lines added, 1 removed, in 1 path(s):");
  });
});

describe("checks before the first call", () => {
  const played = (newRunFlags?: readonly number[], cast: Cast = {}) =>
    new Play({}, cast, newRunFlags === undefined ? deps : { ...deps, newRunFlags }).go();
  const first = (play: Play) => play.of("approval_required")[0]?.gate.subject.text ?? "";

  it("[B-20] run on the base commit and stand at the first gate with their reason, from flag 30 on", () => {
    const now = played(undefined, { result: () => "not_started", note: "pnpm is not installed" });
    expect(now.gate).toBe("implementation_start");
    expect(now.types().indexOf("check_executed")).toBeLessThan(now.types().indexOf("agent_asked"));
    expect(first(now)).toContain("npm run test (from package.json): cannot run: pnpm is not installed");
    const old = played(currentFlags.filter((id) => id !== flags.baselineFirst.id));
    expect(old.of("check_executed")).toHaveLength(0);
    expect(first(old)).toContain("not known yet, it runs with the work");
  });

  it("[B-20] a check that cannot run is asked about at the first gate, on autopilot too, before any agent is called", () => {
    const cast: Cast = { result: () => "not_started", note: "pnpm is not installed" };
    const on = (policy: Policy, newRunFlags = currentFlags) =>
      new Play({ policy }, cast, { ...deps, newRunFlags }).go();
    const play = on(autopilot);
    expect(play.gate).toBe("implementation_start");
    expect(first(play)).toContain("npm run test: pnpm is not installed");
    expect(play.of("agent_asked").map(({ call }) => call.role)).not.toContain("implementer");
    expect(play.answer("approve").go().gate).toBe("validation_waiver");
    expect(on({ ...autopilot, waivedChecks: ["npm run test"] }).state).toBe("completed");
    const old = on(
      autopilot,
      currentFlags.filter((id) => id !== flags.missingProgramsAreAsked.id),
    );
    expect(old.gate).toBe("validation_waiver");
  });

  it("one that takes longer than the short time is tried once, and runs with the work", () => {
    const play = played(undefined, { cut: true });
    expect(play.of("check_executed")).toHaveLength(1);
    expect(first(play)).toContain("not known yet, it runs with the work");
  });
});

describe("checks that are run again", () => {
  it("[B-20] without an agent: the gate is withdrawn, every check runs, and a pass is no question any more", () => {
    let installed = false;
    const play = new Play({}, { result: () => (installed ? "passed" : "not_started"), note: "no xo" }).go();
    play.answer("approve").go();
    expect(openGates(play.run)[0]?.parts?.map(({ kind }) => kind)).toContain("validation_waiver");
    const asked = play.of("agent_asked").length;
    installed = true;
    play.give({ type: "recheck", by: { kind: "host", surface: "mcp" } }).go();
    expect(play.of("agent_asked")).toHaveLength(asked);
    expect(openGates(play.run)[0]?.parts?.map(({ kind }) => kind)).toEqual(["isolated_patch_application"]);
    play.answer("approve").go();
    expect(play.state).toBe("completed");
  });

  it("are refused where no judged work waits", () => {
    const by = { kind: "person", surface: "cli" } as const;
    expect(new Play().go().refusal({ type: "recheck", by }).code).toBe("illegal_transition");
    const done = new Play({ policy: autopilot }).go();
    expect(done.refusal({ type: "recheck", by }).code).toBe("illegal_transition");
  });
});

describe("an event of another version", () => {
  const created = fewerTests().log[0]?.event;

  it("[R-71] is read when everything in it is known", () => {
    expect(unknownIn(created)).toBeUndefined();
    expect(readRunEvent(created, "run_1", 1)).toEqual({ ok: true, event: created });
  });

  it.each([
    ["a kind", { type: "quantum_leap" }, /"quantum_leap" is not known/],
    [
      "a version",
      { ...created, version: 3 },
      /"run_created" in version 3 is not known, only up to version 2/,
    ],
    [
      "a version of a kind that had none",
      { type: "progress_packet_written", version: 2, packet: {} },
      /"progress_packet_written" in version 2 is not known/,
    ],
    ["a flag", { ...created, flags: [1, 99] }, /rule flag 99 in "run_created" is not known/],
    ["no object", null, /is not known/],
    ["a word", { type: "run_ready", inspection: { safe: "perhaps" } }, /"run_ready": .* at inspection/],
  ])("[R-71] with %s that is not known is refused by name, with a remedy", (_what, event, message) => {
    expect(readRunEvent(event, "run_1", 7)).toMatchObject({
      ok: false,
      failure: {
        code: "store_version",
        message: expect.stringMatching(message),
        remedy: expect.stringContaining("newer version"),
      },
    });
  });
});
