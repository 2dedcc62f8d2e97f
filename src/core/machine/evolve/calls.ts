// A call's way through the log: asked, manifest, directive, posted, answered. Where an accepted answer counts is
// decided here once.
import type { CallResult, ResponseBrief, RunEventType } from "../../contract/index.ts";
import { acceptedOf, commandsOf, costOf, diffParts, mayAskToRun, type Reviewer } from "../facts/index.ts";
import { type AgentCall, type Run, activePhase } from "../state/index.ts";
import { type EvolveTable, spend, withCall, withPass } from "./table.ts";

const good = (outcome: CallResult): boolean => outcome.result === "accepted" && outcome.status === "ok";

/** An accepted response fills exactly one slot: the one of the phase and pass that asked for it. */
function place(run: Run, call: AgentCall): Run {
  const { callId, role, phase, pass } = call.record;
  const active = activePhase(run.phase);
  switch (phase) {
    case "plan":
    case "delegate":
    case "consult":
      return active?.state === "planning" || active?.state === "delegating"
        ? { ...run, phase: { ...active, last: callId, goOn: false } }
        : run;
    case "implement":
    case "repair":
      return withPass(run, pass, { callId });
    case "verify":
      return role === "verifier" ? placeVerdict(run, call, role) : run;
    case "qa":
    case "critique":
      return role === "qa" || role === "critic" ? placeVerdict(run, call, role) : run;
    case "blind_tests":
      return holdsTests(run, callId) ? { ...run, blind: callId } : run;
    case "summon":
    case "reconcile":
      return run;
  }
}

function holdsTests(run: Run, callId: string): boolean {
  const brief = acceptedOf(run, callId)?.brief;
  return brief?.contract === "blind_tests_result" && brief.files.length > 0;
}

/** An approval of one part of a long diff is not the verdict yet; every other answer is. */
function placeVerdict(run: Run, call: AgentCall, role: Reviewer): Run {
  const { callId, pass } = call.record;
  const brief = acceptedOf(run, callId)?.brief ?? null;
  const asks = run.passes[pass]?.asksToRun ?? [];
  if (mayAskToRun(run, pass) && commandsOf(run, callId).length > 0)
    return withPass(run, pass, { asksToRun: [...asks, callId] });
  const read = run.passes[pass]?.readParts;
  const known = read?.[role] ?? [];
  return read && isGood(brief) && known.length + 1 < diffParts(run)
    ? withPass(run, pass, { readParts: { ...read, [role]: [...known, callId] } })
    : withPass(run, pass, { [role]: callId });
}

/** The reviewer has nothing against what it was given. */
function isGood(brief: ResponseBrief | null): boolean {
  switch (brief?.contract) {
    case "verification_result":
      return brief.verdict === "approve";
    case "qa_result":
      return brief.verdict === "pass";
    case "critique_result":
      return brief.verdict === "acceptable" && brief.blockingConcerns.length === 0;
    default:
      return false;
  }
}

function countRefusals(run: Run, call: AgentCall, outcome: CallResult): Run["refusals"] {
  if (call.record.lane === "side") return run.refusals;
  const { role } = call.record;
  const before = run.refusals[role] ?? 0;
  return { ...run.refusals, [role]: outcome.result === "refused" ? before + 1 : 0 };
}

/** Neither `not_sent` nor `in_doubt` is a response, nor is a refusal that only says when to come again. */
const counts = (outcome: CallResult): boolean =>
  outcome.result !== "not_sent" &&
  outcome.result !== "in_doubt" &&
  !(outcome.result === "failed" && outcome.until !== undefined);

function closeCall(run: Run, call: AgentCall, outcome: CallResult): Run {
  const refusals = countRefusals(run, call, outcome);
  const { callId, lane } = call.record;
  // A call on the side moves nothing: rules read its result from the call itself.
  if (lane === "side") return run;
  const closed: Run = { ...run, refusals, asking: null };
  return good(outcome) ? place(closed, call) : { ...closed, trouble: callId };
}

export const calls = {
  agent_asked(run, { call, why }, at) {
    const asked: AgentCall = {
      ...at,
      record: call,
      why,
      manifest: null,
      transferApproved: false,
      invocationApproved: false,
      directive: null,
      posted: null,
      result: null,
    };
    const next: Run = {
      ...run,
      calls: [...run.calls, asked],
      counters: { ...run.counters, call: run.counters.call + 1 },
    };
    if (call.lane === "main") return { ...next, asking: call.callId, trouble: null, again: null };
    const tasks = next.side.tasks.map((task) =>
      task.job.id === call.sideId ? { ...task, callId: call.callId } : task,
    );
    return { ...next, side: { ...next.side, tasks } };
  },
  external_transfer_manifest_written: (run, { callId, manifest }, at) =>
    withCall(run, callId, (call) => ({ ...call, manifest: { ...manifest, ...at } })),
  agent_directive_created: (run, { callId, record }, at) =>
    withCall(run, callId, (call) => ({ ...call, directive: { ...record, ...at } })),
  provider_wait_posted: (run, { callId, record }, at) =>
    withCall(run, callId, (call) => ({ ...call, posted: { ...record, ...at } })),
  agent_response(run, event, at) {
    const { callId, outcome, usage, artifacts, tookMs, spentMs = tookMs, lane, sandbox = null } = event;
    const tokens = usage.inputTokens + usage.outputTokens;
    const responses = lane === "main" && counts(outcome) ? 1 : 0;
    const asked = run.calls.find(({ record }) => record.callId === callId)?.record.assignment;
    const cost = asked ? costOf(asked, usage, run.limits.usd !== null) : null;
    const paid = spend(run, { ms: spentMs, tokens, usd: cost?.usd ?? 0, responses });
    const kept = withCall(paid, callId, (call) => ({
      ...call,
      result: { outcome, usage, artifacts, sandbox, ...at },
    }));
    const call = kept.calls.find((one) => one.record.callId === callId);
    return call ? closeCall(kept, call, outcome) : kept;
  },
  provider_limited: (run, { callId, until, why }, at) => ({
    ...run,
    trouble: null,
    limited: { callId, until, why, ...at },
  }),
  provider_limit_over: (run, { callId }) => ({ ...run, limited: null, again: callId }),
  plan_recorded: (run, { callId, plan, summary }, at) => ({
    ...run,
    plans: [...run.plans, { ...at, callId, ref: plan, summary, superseded: null }],
  }),
  plan_superseded: (run, { plan, why }) => ({
    ...run,
    plans: run.plans.map((old) =>
      old.ref.ref === plan.ref && old.superseded === null ? { ...old, superseded: why } : old,
    ),
  }),
} satisfies Partial<EvolveTable<RunEventType>>;
