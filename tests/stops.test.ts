// For each stop that a run can come to: the reason and a next command that works stand on the first screen.
import { describe, expect, it } from "vitest";
import type { Suggestion } from "../src/contract/index.ts";
import { decide, next, openGates } from "../src/machine/index.ts";
import { compactStatus } from "../src/machine/view/index.ts";
import { createStyle } from "../src/surfaces/argv/index.ts";
import { statusText } from "../src/surfaces/cli/render/run-text.ts";
import { spell } from "../src/surfaces/cli/spell/index.ts";
import { type Cast, Play, autopilot, creation, world } from "./support/play.ts";

const by = { kind: "person", surface: "cli" } as const;
const reply = (payload: Record<string, unknown>) => [{ payload }];
const budget = (more: object) => ({ ...autopilot, budgets: { ...autopilot.budgets, ...more } });

/** Plays on autopilot until the run stops. */
const stopped = (cast: Cast, create: Parameters<typeof creation>[0] = {}) =>
  new Play({ policy: autopilot, ...create }, cast).go();

const without = (role: "verifier") => {
  const { [role]: _, ...roles } = creation().roles;
  return roles;
};

const stops: readonly (readonly [name: string, play: () => Play, reason: RegExp])[] = [
  ["the start", () => new Play().go(), /plan|agents will be called/i],
  ["the result", () => new Play().go().answer("approve").go(), /verified|applied|checkout/i],
  [
    "a check that cannot run",
    () => stopped({ result: () => "not_started", note: "pnpm is not installed" }),
    /pnpm is not installed/,
  ],
  [
    "a check that timed out",
    () => stopped({ result: () => "timed_out", note: "timed out after 600 s" }),
    /timed out|did not end in its time/,
  ],
  ["a check that was red before", () => stopped({ result: () => "failed" }), /failed before this work/],
  ["no check at all", () => stopped({ checks: [] }), /no check/i],
  [
    "a verifier that leaves it to the user",
    () => stopped({ replies: { verifier: reply({ verdict: "ask_user", summary: "unclear goal" }) } }),
    /verifier says ask_user/,
  ],
  [
    "a verifier that gives up",
    () => stopped({ replies: { verifier: reply({ verdict: "abort", summary: "cannot hold" }) } }),
    /verifier says abort/,
  ],
  ["nobody as verifier", () => stopped({}, { roles: without("verifier") }), /verifier/i],
  ["tokens used up", () => stopped({ tokens: 50 }, { policy: budget({ maxTokens: 60 }) }), /token/i],
  [
    "minutes used up",
    () => stopped({ tookMs: 50_000 }, { policy: budget({ maxMinutes: 1 }) }),
    /time|minute/i,
  ],
  [
    "an agent that fails",
    () => stopped({ replies: { planner: [{ trouble: "failed" }], orchestrator: [{ trouble: "failed" }] } }),
    /orchestrator|planner|provider|agent/i,
  ],
  [
    "a call in doubt",
    () =>
      stopped({ replies: { orchestrator: [{ trouble: "in_doubt" }], planner: [{ trouble: "in_doubt" }] } }),
    /unknown|doubt/i,
  ],
  [
    "edits of the user in the way",
    () =>
      stopped({
        apply: () => ({
          kind: "apply_patch_blocked",
          reason: "dirty_checkout",
          message: "src/login.ts has changes of yours",
          paths: ["src/login.ts"],
        }),
      }),
    /changes of yours/,
  ],
  ["a worker that changes nothing", () => stopped({ tree: () => null }), /no.?change|nothing/i],
  [
    "an unsafe repository",
    () => stopped({ inspection: { safe: false, problems: ["a hook"] } }),
    /not safe|a hook/,
  ],
  [
    "an abort",
    () => new Play().go().give({ type: "abort", reason: "another idea", by }),
    /another idea|user_abort/,
  ],
  ["the end", () => stopped({}), /success/],
];

/** Whether the run takes what the suggestion says. */
function works(play: Play, suggestion: Suggestion): boolean {
  const gate = openGates(play.run)[0];
  if (suggestion.suggest === "answer" && gate)
    return decide(
      play.run,
      {
        type: "answer",
        gateId: gate.id,
        subjectSha256: gate.subject.sha256,
        answer: suggestion.answer,
        message: suggestion.phrase ?? (suggestion.answer === "revise" ? "other words" : ""),
        by,
        ...(suggestion.addTokens === undefined ? {} : { addTokens: suggestion.addTokens }),
        ...(suggestion.addMinutes === undefined ? {} : { addMinutes: suggestion.addMinutes }),
      },
      play.now + 10,
      world,
    ).ok;
  if (suggestion.suggest === "recheck")
    return decide(play.run, { type: "recheck", by }, play.now + 10, world).ok;
  if (suggestion.suggest === "abort")
    return decide(play.run, { type: "abort", reason: "", by }, play.now + 10, world).ok;
  if (suggestion.suggest === "continue") return next(play.run) !== undefined;
  if (suggestion.suggest === "report") return play.run.report !== null;
  if (suggestion.suggest === "assign_role") return true;
  return ["logs", "show", "status", "artifact", "undo", "reconcile"].includes(suggestion.suggest);
}

describe("[B-20] a stop says why, and what to do", () => {
  it.each(stops)("%s", (_name, make, reason) => {
    const play = make();
    expect(next(play.run)?.kind ?? "nothing").toMatch(/nothing|retire_workspace/);
    const status = compactStatus(play.run);
    const gates = openGates(play.run).map(({ subject }) => ({ text: subject.text, whole: true }));
    const screen = statusText(status, gates, createStyle(false), spell).split("\n").slice(0, 24).join("\n");
    expect(screen).toMatch(reason);
    const commands = status.next.flatMap(({ command }) => (command === null ? [] : [command]));
    for (const command of commands) expect(works(play, command), JSON.stringify(command)).toBe(true);
    expect(play.state === "aborted" || /→ thehood [a-z]+/.test(screen)).toBe(true);
  });
});
