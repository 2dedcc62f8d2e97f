import { describe, expect, it } from "vitest";
import type { Policy } from "../contract/index.ts";
import { type Cast, Play, autopilot, deps } from "../../../tests/support/play.ts";
import { type Flag, currentFlags, flags, hasFlag } from "./flags.ts";
import { openGates } from "./index.ts";
import { readRunEvent, unknownIn } from "./known-events.ts";

/** A change of a rule as a later version would add it. It exists only here. */
const example: Flag = {
  id: 901,
  since: "9.0.0",
  reason: "A run without it greets; a run with it is silent.",
};

/** A rule that the example changes: the old rule stays for the runs without the flag. */
const greeting = (play: Play): string => (hasFlag(play.run, example) ? "" : "hello");

const created = (newRunFlags?: readonly number[]): Play =>
  new Play({ policy: autopilot }, {}, newRunFlags === undefined ? deps : { ...deps, newRunFlags }).go();

describe("flags of the rules", () => {
  it("[R-71] have numbers of their own, a version and a reason", () => {
    const all = [example, ...Object.values<Flag>(flags)];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id, since, reason } of all) {
      expect(id).toBeGreaterThan(0);
      expect(since).toMatch(/^\d+\.\d+\.\d+$/);
      expect(reason.length).toBeGreaterThan(40);
    }
  });

  it("[R-71] are recorded when a run is created, and decide about its rules for its whole life", () => {
    const flagged = created([example.id]);
    expect(flagged.of("run_created")[0]).toMatchObject({ version: 2, flags: [example.id] });
    expect(greeting(flagged)).toBe("");
    const plain = created([]);
    expect(plain.of("run_created")[0]).toMatchObject({ version: 1 });
    expect(plain.of("run_created")[0]).not.toHaveProperty("flags");
    expect(greeting(plain)).toBe("hello");
    expect(created().of("run_created")[0]?.flags ?? []).toEqual([...currentFlags]);
  });

  it("[R-71] a run with a flag is read by a version that knows it, and refused by name by one that does not", () => {
    const event = created([example.id]).log[0]?.event;
    expect(readRunEvent(event, "run_1", 1, [example.id])).toEqual({ ok: true, event });
    expect(readRunEvent(event, "run_1", 1)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('rule flag 901 in "run_created" is not known') },
    });
  });
});

it("[R-33] a waiver from the start of a run does not cover a check that runs fewer tests after the work", () => {
  const play = new Play(
    { policy: { ...autopilot, waivedChecks: ["npm run test"] } },
    { testsRun: (variant) => (variant === "base" ? 3 : 1) },
  ).go();
  expect(play.of("validation_waived")).toHaveLength(0);
  expect(play.gate).toBe("validation_waiver");
});

describe("the reason of a check that is not a plain pass [R-33]", () => {
  const logOf = (result: "not_started" | "timed_out", note: string) => {
    const play = new Play({ policy: autopilot }, { result: () => result, note }).go();
    if (play.gate === "implementation_start") play.answer("approve").go();
    expect(play.gate).toBe("validation_waiver");
    return JSON.stringify(play.log);
  };

  it("is in the finding and at the gate, with the setting that decides about it", () => {
    const missing = logOf("not_started", "needs xo, which is not here");
    expect(missing).toContain("could not be run (needs xo, which is not here), so it says nothing about the work.");
    expect(missing).toContain("could not be run: needs xo, which is not here.");
    const late = logOf("timed_out", "did not end within its 2000 ms");
    expect(late).toContain("did not end in its time, before this work and after it");
    expect(late).toContain("policy.budgets.checkTimeoutMs");
  });
});

describe("numbers at a gate", () => {
  it("[B-4] are plain English, singular and plural", () => {
    const play = new Play().go().answer("approve").go();
    const sheet = play.of("approval_required").at(-1)?.gate.subject.text ?? "";
    expect(sheet).toContain("3 lines added, 1 removed, in 1 path:");
  });
});

describe("checks before the first call", () => {
  const first = (play: Play) => play.of("approval_required")[0]?.gate.subject.text ?? "";

  it("[B-20] run on the base commit and stand at the first gate with their reason", () => {
    const now = new Play({}, { result: () => "not_started", note: "pnpm is not installed" }).go();
    expect(now.gate).toBe("implementation_start");
    expect(now.types().indexOf("check_executed")).toBeLessThan(now.types().indexOf("agent_asked"));
    expect(first(now)).toContain("npm run test (from package.json): cannot run: pnpm is not installed");
  });

  it("[B-20] a check that cannot run is asked about at the first gate, on autopilot too, before any agent is called", () => {
    const cast: Cast = { result: () => "not_started", note: "pnpm is not installed" };
    const on = (policy: Policy) => new Play({ policy }, cast).go();
    const play = on(autopilot);
    expect(play.gate).toBe("implementation_start");
    expect(first(play)).toContain("npm run test: pnpm is not installed");
    expect(play.of("agent_asked").map(({ call }) => call.role)).not.toContain("implementer");
    expect(play.answer("approve").go().gate).toBe("validation_waiver");
    expect(on({ ...autopilot, waivedChecks: ["npm run test"] }).state).toBe("completed");
  });

  it("one that takes longer than the short time is tried once, and runs with the work", () => {
    const play = new Play({}, { cut: true }).go();
    expect(play.of("check_executed")).toHaveLength(1);
    expect(first(play)).toContain("not known yet, it runs with the work");
  });
});

describe("checks that are run again", () => {
  it("[B-20] without an agent: the gate is withdrawn, every check runs, and a pass is not asked about any more", () => {
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
  const event = created().log[0]?.event;

  it("[R-71] is read when everything in it is known", () => {
    expect(unknownIn(event)).toBeUndefined();
    expect(readRunEvent(event, "run_1", 1)).toEqual({ ok: true, event });
  });

  it.each([
    ["a kind", { type: "quantum_leap" }, /"quantum_leap" is not known/],
    ["a version", { ...event, version: 3 }, /"run_created" in version 3 is not known, only up to version 2/],
    [
      "a version of a kind that had none",
      { type: "progress_packet_written", version: 2, packet: {} },
      /"progress_packet_written" in version 2 is not known/,
    ],
    ["a flag", { ...event, flags: [99] }, /rule flag 99 in "run_created" is not known/],
    ["no object", null, /is not known/],
    ["a word", { type: "run_ready", inspection: { safe: "perhaps" } }, /"run_ready": .* at inspection/],
  ])("[R-71] with %s that is not known is refused by name, with a remedy", (_what, given, message) => {
    expect(readRunEvent(given, "run_1", 7)).toMatchObject({
      ok: false,
      failure: {
        code: "store_version",
        message: expect.stringMatching(message),
        remedy: expect.stringContaining("newer version"),
      },
    });
  });
});
