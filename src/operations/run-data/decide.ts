// Deciding at a gate. A person's words are the answer; a program has its person asked, and carries that answer.
import {
  extensionIn,
  fail,
  FailureError,
  type Extension,
  type Gate,
  type GateAnswer,
} from "../../core/contract/index.ts";
import { isPassing } from "../../core/machine/facts/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { answerGate } from "./answer.ts";
import { attemptsAt, endOthers } from "./attempts.ts";
import { askPerson, type Kind } from "./ask-person.ts";
import { runStatusOf, type RunSnapshot, type WantedEnd } from "./snapshot.ts";

export interface DecideRequest extends Extension {
  readonly runId: string | undefined;
  readonly gate: string | undefined;
  readonly message: string;
  readonly noContinue: boolean;
  /** Take work that is in the checkout out again, once the run has ended. */
  readonly undo?: boolean | undefined;
  readonly sign?: string | undefined;
  readonly sha256?: string | undefined;
  /** Files that only look like tests, declared with the start of a run. */
  readonly productPaths?: readonly string[] | undefined;
  /** Goal and criteria instead of those that the start of a run shows. */
  readonly goal?: string | undefined;
  readonly acceptanceCriteria?: readonly string[] | undefined;
  /** Put the work on this new branch, and not into the checkout. */
  readonly toBranch?: string | undefined;
  readonly pullRequest?: boolean | undefined;
  /** Write the blind tests into the checkout, once the work is there. */
  readonly keepTests?: boolean | undefined;
  readonly waitSeconds?: number | undefined;
}

export interface Decided {
  readonly standing: RunSnapshot;
  readonly gate: string;
  readonly answer: GateAnswer;
}

const asksFor = (answer: GateAnswer): Kind =>
  answer === "reject"
    ? "reject"
    : answer === "approve"
      ? "approve"
      : fail("permission_denied", "Only a person decides this, in a terminal.");

async function nothingDecided(runs: RepositoryRuns, runId: string, { id }: Gate): Promise<never> {
  const suggestions = [{ suggest: "status", runId }] as const;
  if ((await runs.gates(runId)).some((gate) => gate.id === id))
    fail("approval_required", "You decided nothing; the gate stays as it was.", {
      remedy: "Look at it again when you are ready",
      suggestions,
    });
  return fail("conflict", "This question was answered on another screen meanwhile; your answer changed nothing.", {
    remedy: "See where the run is",
    suggestions,
  });
}

/** At a terminal the gate is shown and answered there. Anywhere else the answer names the hash of what was shown. */
async function byPerson(
  context: Context,
  runs: RepositoryRuns,
  runId: string,
  answer: GateAnswer,
  input: DecideRequest,
): Promise<{ readonly gate: Gate; readonly answer: GateAnswer }> {
  const {
    message,
    gate: wanted,
    sha256,
    sign,
    productPaths = [],
    goal,
    acceptanceCriteria = [],
    toBranch,
    pullRequest,
  } = input;
  if (toBranch !== undefined) await runs.checkBranch(toBranch);
  const plain = sha256 === undefined && sign === undefined && productPaths.length === 0;
  const open = await runs.gates(runId);
  const meant = wanted === undefined ? open[0] : open.find(({ id }) => id === wanted);
  if (plain && isPassing(answer) && meant && context.showGate) {
    const delivery = {
      ...(toBranch === undefined ? {} : { toBranch }),
      ...(pullRequest === true ? { pullRequest } : {}),
      ...(goal === undefined ? {} : { goal }),
      ...(acceptanceCriteria.length > 0 ? { acceptanceCriteria } : {}),
    };
    const spoken = await context.showGate(runs, runId, delivery);
    if (spoken === null) return nothingDecided(runs, runId, meant);
    return { gate: meant, answer: spoken };
  }
  const by = context.actor;
  const to = { productPaths, goal, acceptanceCriteria, toBranch, pullRequest };
  const said = { answer, message, by, gate: wanted, shown: sha256, sign, ...to };
  const decision = { ...said, ...extensionIn(input) };
  const gate = await answerGate(runs, runId, decision);
  if (answer === "remember") await rememberDestination(context, runId, gate);
  return { answer, gate };
}

/** The approval counts in any case. A permission that cannot be stored is asked for again. */
async function rememberDestination(context: Context, runId: string, { remembers }: Gate): Promise<void> {
  if (!remembers) return;
  try {
    await context.ports.setup.allowDestination({ ...remembers, since: new Date().toISOString(), runId });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    context.tell(
      `This transfer is approved. The destination is not remembered, and you are asked again: ${error.failure.message}`,
    );
  }
}

/** An answer about a side task does not move the loop, except a role switch or a command that the verifier asked for: the loop waits for those. */
const isBeside = ({ lane, kind, role }: Gate): boolean =>
  lane === "side" && kind !== "role_switch" && !(kind === "risky_command" && role === "verifier");

/** A person who names no run means the newest one, or, where that one asks nothing, the only one that waits. */
async function runToAnswer(runs: RepositoryRuns, named: string | undefined): Promise<string> {
  const runId = await runs.find(named);
  if (named !== undefined || (await runs.gates(runId)).length > 0) return runId;
  const [only, another] = await runs.rows({ limit: 2, state: "awaiting_approval" });
  return only && !another ? only.runId : runId;
}

export async function decideGate(context: Context, answer: GateAnswer, input: DecideRequest): Promise<Decided> {
  await using runs = await context.ports.runs(context.folder);
  const runId = await runToAnswer(runs, input.runId);
  const from = (await runs.status(runId)).counts.events;
  const { gate: wanted, sha256 } = input;
  const by = context.actor;
  const asked = (await runs.gates(runId)).find(({ id }) => wanted === undefined || id === wanted);
  const attempts = isPassing(answer) ? await attemptsAt(runs, runId, asked) : null;
  const decided =
    by.kind === "person"
      ? await byPerson(context, runs, runId, answer, input)
      : await askPerson(context, runs, runId, asksFor(answer), { gate: wanted, sha256 });
  context.tell(`✔ ${decided.gate.title}: ${decided.answer}`);
  if (attempts && isPassing(decided.answer)) await endOthers(context, runs, runId, by);
  if (input.keepTests) await (await import("./keep-tests.ts")).keepTestsToo(context, runs, runId);
  const decision = { gate: decided.gate.id, answer: decided.answer };
  if (input.noContinue) return { ...decision, standing: await runStatusOf(runs, runId, "recorded") };
  const beside = isBeside(decided.gate);
  const ends = decided.answer === "reject" && decided.gate.lane === "main";
  // Without answers left a refusal ends the run as failed.
  const end = decided.gate.kind === "answer_budget" ? "failed" : "aborted";
  const ending: WantedEnd = beside ? "beside" : ends ? end : undefined;
  const { waitSeconds } = input;
  const besideOnly = beside && by.kind === "person";
  const stop = await context.advance(runs, runId, { from, waitSeconds, besideOnly });
  if (input.undo && !beside) await (await import("./undo.ts")).takeOutToo(context, runs, runId);
  return { ...decision, standing: await runStatusOf(runs, runId, stop, ending) };
}
