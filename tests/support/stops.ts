// The stops that a run can come to, each with the words that say why.
import type { EffectOutcome } from "../../src/core/contract/index.ts";
import { due } from "../../src/core/machine/index.ts";
import { type Cast, Play, agent, autopilot, creation, earlyAutopilot, ref, summonRequest } from "./play.ts";
import { withRoles } from "./with-roles.ts";

const by = { kind: "person", surface: "cli" } as const;
const reply = (payload: Record<string, unknown>) => [{ payload }];
const budget = (more: object) => ({ ...autopilot, budgets: { ...autopilot.budgets, ...more } });

/** Plays on autopilot until the run stops. */
const stopped = (cast: Cast, create: Parameters<typeof creation>[0] = {}) =>
  new Play({ policy: autopilot, ...create }, cast).go();

const without = (role: "verifier" | "implementer") => {
  const { [role]: _, ...roles } = creation().roles;
  return roles;
};

const everybody = {
  ...creation().roles,
  planner: agent("stub:planner"),
  researcher: agent("stub:researcher"),
};
const decides = (action: string, more: object = {}) => ({ payload: { action, reason: "because", ...more } });
const wants = (...requestedPaths: string[]) => decides("delegate", { requiresMoreEvidence: true, requestedPaths });
const planned = (answer: ReturnType<typeof decides>) =>
  stopped({ replies: { planner: [answer] } }, { mode: "plan", roles: everybody });

const api = (name: string) => agent(name, { boundary: "external" });
const webGuest = agent("chatgpt-web:chatgpt-pro", { boundary: "external", modelBacked: false });
const outside = { ...creation().roles, orchestrator: api("openai-api:big") };
const outsideVerifier = { ...creation().roles, verifier: api("openai-api:big") };
const withModel = { ...creation().roles, orchestrator: agent("codex-cli:plan") };
const remote = {
  context: ref("remote_context", "r"),
  owner: "o",
  repo: "r",
  branch: "main",
  commit: "c".repeat(40),
};
const completedOutside = () =>
  new Play({ roles: { ...creation().roles, planner: api("anthropic-api:big") } }).through(
    "provider_invocation",
    "repo_context_external_transfer",
    "implementation_start",
    "isolated_patch_application",
  );

/** Plays until this effect is due, and gives it this outcome. */
function atEffect(kind: string, outcome: EffectOutcome): Play {
  const play = new Play({ policy: autopilot });
  while (due(play.run)[0]?.kind !== kind) if (!play.step()) throw new Error(`${kind} is never due`);
  const [effect] = due(play.run);
  return play.give({ type: "effect_done", key: effect?.key ?? "", tookMs: 1, outcome }).go();
}

const doubt = {
  kind: "replay",
  place: "add in src/add.ts:1",
  measure: "add(1, 2) gave 3 under the tests and 0 outside",
} as const;

export type Stop = readonly [name: string, play: () => Play, reason: RegExp];

export const stops: readonly Stop[] = [
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
  ["no agent as verifier", () => stopped({}, { roles: without("verifier") }), /verifier/i],
  ["tokens used up", () => stopped({ tokens: 50 }, { policy: budget({ maxTokens: 60 }) }), /token/i],
  ["minutes used up", () => stopped({ tookMs: 50_000 }, { policy: budget({ maxMinutes: 1 }) }), /time|minute/i],
  [
    "an agent that fails",
    () => stopped({ replies: { planner: [{ trouble: "failed" }], orchestrator: [{ trouble: "failed" }] } }),
    /orchestrator|planner|provider|agent/i,
  ],
  [
    "a call in doubt",
    () => stopped({ replies: { orchestrator: [{ trouble: "in_doubt" }], planner: [{ trouble: "in_doubt" }] } }),
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
  ["an unsafe repository", () => stopped({ inspection: { safe: false, problems: ["a hook"] } }), /not safe|a hook/],
  ["an abort", () => new Play().go().give({ type: "abort", reason: "another idea", by }), /another idea|user_abort/],
  ["the end", () => stopped({}), /completed/],
  ["no agent as worker", () => stopped({}, { roles: without("implementer") }), /needs a implementer|implementer/],
  ["money used up", () => stopped({ costUsd: 3 }, { policy: budget({ maxUsd: 5 }) }), /money|\$/i],
  ["answers used up", () => stopped({}, { policy: budget({ maxIterations: 3 }) }), /maxIterations|answers/i],
  [
    "answers used up, and the limit is not raised",
    () => stopped({}, { policy: budget({ maxIterations: 3 }) }).answer("abort", ""),
    /answers|maxIterations/i,
  ],
  ["a plan in circles", () => planned(decides("revise_plan")), /sent back twice/],
  ["a plan that hands the work to itself", () => planned(decides("delegate", { delegateTo: "planner" })), /to itself/],
  [
    "a plan that needs a role without an agent",
    () => planned(decides("delegate", { delegateTo: "citation" })),
    /no agent is assigned/,
  ],
  [
    "a plan that needs a role that cannot read",
    () => planned(decides("delegate", { delegateTo: "integrator" })),
    /cannot take it/,
  ],
  ["the same evidence asked for twice", () => planned(wants("a.ts")), /a\.ts|same|again/],
  [
    "the same remote evidence asked for twice",
    () =>
      new Play(
        { mode: "plan", policy: autopilot, roles: { ...everybody, planner: webGuest } },
        {
          remote: { kind: "select_remote_context", remote, reason: "ok" },
          replies: { planner: [wants("a.ts")] },
        },
      ).go(),
    /again|evidence|repository/i,
  ],
  ["a plan without a verifier's word", () => planned(decides("complete")), /completed/],
  [
    "work that is called done without evidence",
    () =>
      stopped({
        replies: { orchestrator: reply({ action: "complete", reason: "all good", evidenceRefs: [] }) },
      }),
    /names no evidence/,
  ],
  [
    "an agent that asks the person",
    () => stopped({ replies: { orchestrator: reply({ action: "request_approval", reason: "may I?" }) } }),
    /may I\?/,
  ],
  [
    "an agent that wants to end the run",
    () => stopped({ replies: { orchestrator: reply({ action: "abort", reason: "a harmful goal" }) } }),
    /a harmful goal/,
  ],
  [
    "answers that break their contract",
    () => stopped({ replies: { orchestrator: [{ trouble: "refused" }], planner: [{ trouble: "refused" }] } }),
    /refused|contract|answer/i,
  ],
  [
    "a critic that sees danger",
    () =>
      stopped({
        replies: {
          verifier: reply({ verdict: "revise", summary: "no", requiredFixes: ["x"] }),
          critic: reply({ verdict: "unsafe", blockingConcerns: ["drops the table"] }),
        },
      }),
    /drops the table/,
  ],
  [
    "repairs in circles",
    () =>
      stopped({
        replies: { verifier: reply({ verdict: "revise", summary: "still red", requiredFixes: ["x"] }) },
      }),
    /came back/,
  ],
  [
    "a worker that is blocked",
    () => stopped({ replies: { implementer: reply({ status: "blocked", changedFiles: [] }) }, tree: () => null }),
    /blocked|no.?change|nothing/i,
  ],
  [
    "changed tests",
    () =>
      stopped({
        judge: () => ({
          verdict: "approval",
          reason: "protected",
          protectedPaths: [{ path: "test/a.test.ts", why: "test" }],
        }),
      }),
    /test\/a\.test\.ts/,
  ],
  [
    "changed tests, applied first",
    () =>
      stopped(
        {
          judge: () => ({
            verdict: "approval",
            reason: "protected",
            protectedPaths: [{ path: "test/a.test.ts", why: "test" }],
          }),
        },
        { policy: earlyAutopilot },
      )
        .answer("approve")
        .go(),
    /test\/a\.test\.ts/,
  ],
  [
    "a patch that cannot be judged good",
    () => stopped({ judge: () => ({ verdict: "reject", reason: "binary", message: "a binary file" }) }),
    /a binary file|binary|refused/,
  ],
  [
    "a patch that cannot be applied",
    () =>
      stopped({
        apply: () => ({
          kind: "apply_patch_blocked",
          reason: "failed",
          message: "the disk is full",
          paths: [],
        }),
      }),
    /the disk is full/,
  ],
  [
    "a checkout that moved",
    () =>
      stopped({
        apply: () => ({
          kind: "apply_patch_blocked",
          reason: "head_moved",
          message: "HEAD is elsewhere",
          paths: [],
        }),
      }),
    /HEAD is elsewhere/,
  ],
  [
    "a checkout that differs afterwards",
    () => stopped({ look: (moment) => (moment === "last" ? "d".repeat(40) : undefined) }),
    /src\/other\.ts|differs/,
  ],
  ["a model that is asked for the first time", () => new Play({ roles: withModel }).go(), /codex-cli/],
  [
    "data that leaves the machine",
    () => new Play({ mode: "plan", roles: outside }).go().answer("approve").go(),
    /openai-api/,
  ],
  [
    "evidence that leaves the machine",
    () =>
      new Play({ roles: outsideVerifier }, { manifest: { risk: "secret_risk" } }).through(
        "provider_invocation",
        "implementation_start",
      ),
    /openai-api/,
  ],
  [
    "a report that leaves the machine",
    () => completedOutside().give({ type: "reconcile", role: "planner", by }).go().answer("approve").go(),
    /anthropic-api/,
  ],
  [
    "an agent asked beside the loop",
    () =>
      new Play()
        .go()
        .give({ type: "summon", request: summonRequest({ agent: agent("codex-cli:spark") }), by })
        .go(),
    /beside the loop/,
  ],
  [
    "another verifier",
    () => new Play().go().give({ type: "switch_role", role: "verifier", assignment: agent("stub:other"), by }),
    /Switch who fills a role/,
  ],
  [
    "a risky command",
    () =>
      stopped({ command: () => ({ kind: "run_command_gated", class: "destructive", why: "removes files" }) })
        .give({ type: "exec", argv: ["rm", "-rf", "build"], cwd: "", allowRisky: false, by })
        .go(),
    /rm -rf build|removes files/,
  ],
  [
    "a task that contradicts a test",
    () =>
      stopped({
        replies: {
          implementer: reply({ status: "no_change", contradiction: { test: "adds", why: "the goal wants 4" } }),
        },
      }),
    /the goal wants 4/,
  ],
  [
    "a message that widens the scope",
    () =>
      stopped({}, { policy: budget({ maxIterations: 1 }) }).give({
        type: "tell",
        message: {
          text: "name it in the guide, too",
          how: "next",
          widens: { acceptanceCriteria: ["the guide names it"] },
        },
        by,
      }),
    /Widen what you agreed to/,
  ],
  [
    "an end with doubts",
    () =>
      stopped({ doubts: (variant) => (variant === "base" ? [] : [doubt]) })
        .answer("approve")
        .go(),
    /completed with doubts/,
  ],
  ["a reject", () => new Play().go().answer("reject", "not now"), /not now|user_reject/],
  ["a plan that is handed over", () => planned(decides("delegate", { delegateTo: "implementer" })), /handoff.plan/],
  [
    "a checkout that git cannot read",
    () =>
      atEffect("capture_git_evidence", {
        kind: "capture_git_evidence",
        evidence: {
          summary: ref("evidence", "x"),
          status: null,
          diff: null,
          changedPaths: [],
          ok: false,
          head: null,
        },
      }),
    /git could not tell the state/,
  ],
  [
    "an agent that would verify its own work",
    () => {
      const one = agent("stub:one");
      return withRoles(new Play({ policy: autopilot }), { implementer: one, verifier: one }).go();
    },
    /cannot be called/,
  ],
  [
    "a fault of the runtime",
    () =>
      atEffect("inspect_repository", {
        kind: "effect_failed",
        code: "internal",
        message: "the disk went away",
        remedy: "look at the disk",
      }),
    /the disk went away/,
  ],
];
