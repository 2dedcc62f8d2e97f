// The state of the run as one call needs it: plan, findings, work, checks, verdicts, questions, the rest of the budget.
import type { CallRecord, Doubt } from "../../contract/index.ts";
import {
  answersLeft,
  commandLine,
  commandsLeft,
  currentPlan,
  acceptedOf,
  latestPass,
  requestedTasks,
  sideJobOf,
  checksAbout,
} from "../facts/index.ts";
import { verdictsOf } from "../review/critic.ts";
import type { Pass, Run } from "../state/index.ts";
import { blindMeasure } from "../review/blind-measure.ts";
import { doubtsOf } from "../review/doubts.ts";

const few = 20;

function remaining(run: Run) {
  return {
    iterations: answersLeft(run),
    tokens: run.limits.tokens === null ? null : Math.max(0, run.limits.tokens - run.spent.tokens),
    minutes: run.limits.ms === null ? null : Math.max(0, Math.round((run.limits.ms - run.spent.ms) / 6_000) / 10),
  };
}

function planPart(run: Run) {
  const plan = currentPlan(run);
  const brief = acceptedOf(run, plan?.callId ?? null)?.brief;
  return plan ? { ref: plan.ref.ref, summary: plan.summary, decision: brief ?? null } : null;
}

function delegationPart(run: Run) {
  const call = run.calls.findLast(({ record }) => record.phase === "delegate" && acceptedOf(run, record.callId));
  return acceptedOf(run, call?.record.callId ?? null)?.brief ?? null;
}

function checksPart(run: Run, pass: Pass) {
  return checksAbout(run, pass)
    .slice(-few)
    .map((check) => ({
      command: commandLine(check.argv),
      variant: check.variant,
      tree: check.tree,
      result: check.result,
      exitCode: check.exitCode,
      stdout: check.stdout?.ref ?? null,
      stderr: check.stderr?.ref ?? null,
    }));
}

function workPart(run: Run, pass: Pass) {
  const patch = pass.captured?.patch;
  return {
    pass: pass.number,
    changedFiles: patch?.changedPaths.slice(0, 200) ?? [],
    diffRef: patch?.full.ref ?? null,
    protectedPaths: pass.judgement?.protectedPaths.slice(0, few) ?? [],
    integrated: pass.integration !== null,
    tree: pass.integration?.tree ?? null,
    checks: checksPart(run, pass),
    standings: pass.validation?.checks ?? [],
    ...(pass.blindTests ? { blindTests: blindMeasure(pass.blindTests) } : {}),
    implementer: acceptedOf(run, pass.callId)?.brief ?? null,
    reviewRouting: pass.routing ? { tier: pass.routing.tier, reasons: pass.routing.reasons } : null,
  };
}

/** The commands that the verifier asked for, as the runtime saw each of them end. */
function requestedPart(run: Run, pass: Pass) {
  const tasks = pass.asksToRun.flatMap((callId) => requestedTasks(run, callId));
  return {
    commandsLeft: commandsLeft(run, pass.number),
    requestedCommands: tasks.map(({ job, command, end }) => ({
      command: job.job === "exec" ? (job.argv.at(-1) ?? "") : "",
      tree: job.job === "exec" ? (job.requestedBy?.tree ?? null) : null,
      ended: command?.ended ?? "not_run",
      exitCode: command?.exitCode ?? null,
      why: end?.why ?? null,
      stdout: command?.stdout?.ref ?? null,
      stderr: command?.stderr?.ref ?? null,
    })),
  };
}

/** QA recommends and runs nothing; the verifier may ask for what it recommends. */
function qaPart(run: Run, pass: Pass) {
  const brief = acceptedOf(run, pass.qa)?.brief;
  if (brief?.contract !== "qa_result") return {};
  const { missedCases, suggestedCommands } = brief;
  return { qaAdvice: { missedCases, suggestedCommands } };
}

function verdictsPart(run: Run, pass: Pass) {
  const { qa, verifier, critic, blockingConcerns } = verdictsOf(run, pass);
  return { qa, verifier, critic, blockingConcerns };
}

function answersBefore(run: Run) {
  return run.calls
    .filter(({ record, result }) => record.lane === "main" && record.phase === "consult" && result)
    .slice(-4)
    .map(({ record }) => ({ role: record.role, brief: acceptedOf(run, record.callId)?.brief ?? null }));
}

function summonPart(run: Run, call: CallRecord) {
  const job = sideJobOf(run, call);
  if (job?.job !== "summon") return null;
  const { kind, brief, persona, constraints, evidenceRefs } = job.request;
  return { kind, brief, persona, constraints, evidenceRefs };
}

/** The runtime's own doubts stand first for everyone who reviews. */
function doubtsPart(run: Run, { phase }: CallRecord, pass: Pass): { runtimeDoubts?: readonly Doubt[] } {
  const reviews = phase === "qa" || phase === "verify" || phase === "critique";
  return reviews && pass.validation ? { runtimeDoubts: doubtsOf(run, pass) } : {};
}

/** For an agent that must not know of the work: the commands that will run its tests. */
const blindContext = (run: Run, call: CallRecord) => ({
  phase: call.phase,
  testChecks: (run.checks ?? [])
    .filter(({ kind }) => kind === "test")
    .map(({ argv, cwd }) => ({ command: commandLine(argv), folder: cwd === "" ? "." : cwd })),
  remainingBudget: remaining(run),
  refusedBefore: call.retryOf === null ? null : refusedBefore(run, call.retryOf),
});

export function directiveContext(run: Run, call: CallRecord): Record<string, unknown> {
  if (call.phase === "blind_tests") return blindContext(run, call);
  const pass = latestPass(run);
  const before = run.passes[pass.number - 1];
  return {
    ...doubtsPart(run, call, pass),
    phase: call.phase,
    state: run.phase.state,
    plan: planPart(run),
    delegation: delegationPart(run),
    findings: run.findings
      .slice(-few)
      .map(({ kind, severity, message, pass: at }) => ({ kind, severity, message, pass: at })),
    work: workPart(run, pass),
    ...(call.phase === "verify" ? { ...requestedPart(run, pass), ...qaPart(run, pass) } : {}),
    previousPass: pass.revision && before ? { ...workPart(run, before), verdicts: verdictsPart(run, before) } : null,
    revision: pass.revision
      ? {
          revisionId: pass.revision.revisionId,
          reasonCode: pass.revision.reasonCode,
          objective: pass.revision.objective,
          acceptanceCriteria: pass.revision.acceptanceCriteria,
          evidenceRefs: pass.revision.evidenceRefs,
        }
      : null,
    verdicts: verdictsPart(run, pass),
    consulted: answersBefore(run),
    openQuestions: run.findings
      .filter(({ kind }) => kind === "open_question")
      .slice(-few)
      .map(({ message }) => message),
    remainingBudget: remaining(run),
    refusedBefore: call.retryOf === null ? null : refusedBefore(run, call.retryOf),
    summon: summonPart(run, call),
  };
}

/** The problems of the response that this call repeats, so that the role can do better. */
function refusedBefore(run: Run, callId: string): readonly string[] | null {
  const outcome = run.calls.find((call) => call.record.callId === callId)?.result?.outcome;
  return outcome?.result === "refused" ? outcome.problems.slice(0, few) : null;
}
