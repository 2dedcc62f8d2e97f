// Answering a gate: the answer is bound to the gate that is open and to exactly what was shown.
import {
  approvalText,
  extensionIn,
  fail,
  type Actor,
  type Extension,
  type Failure,
  type Gate,
  type GateAnswer,
  type UserCommand,
} from "../../core/contract/index.ts";
import { isPassing } from "../../core/machine/facts/index.ts";
import type { RepositoryRuns } from "../context/index.ts";

/** A person's answer to a gate. */
export interface GateDecision extends Extension {
  readonly answer: GateAnswer;
  readonly message: string;
  readonly by: Actor;
  readonly gate?: string | undefined;
  /** The hash of the text that the person was shown. */
  readonly shown?: string | undefined;
  readonly productPaths?: readonly string[] | undefined;
  readonly goal?: string | undefined;
  readonly acceptanceCriteria?: readonly string[] | undefined;
  readonly toBranch?: string | undefined;
  readonly pullRequest?: boolean | undefined;
  /** The file of the person's SSH key. */
  readonly sign?: string | undefined;
}

async function nothingToDecide(runs: RepositoryRuns, runId: string): Promise<string> {
  const { state } = await runs.status(runId);
  const ended = state === "completed" || state === "failed" || state === "aborted";
  return ended
    ? `Run ${runId} is already finished: it is ${state}.`
    : `Run ${runId} has nothing to decide now: it is ${state.replaceAll("_", " ")}.`;
}

/** A person who names no run means one that waits, and the newest need not be it. */
async function whereToLook(runs: RepositoryRuns, runId: string): Promise<Pick<Failure, "remedy" | "suggestions">> {
  const rows = await runs.rows({ limit: 3, state: "awaiting_approval" });
  const waiting = rows.map((row) => row.runId);
  return waiting.length > 0
    ? { remedy: `These wait for you, name one: ${waiting.join(", ")}` }
    : { remedy: "Run", suggestions: [{ suggest: "status", runId }] };
}

async function gateToAnswer(
  runs: RepositoryRuns,
  runId: string,
  { gate: wanted, shown: hash }: GateDecision,
): Promise<Gate> {
  const gates = await runs.gates(runId);
  if (gates.length === 0)
    fail("illegal_transition", await nothingToDecide(runs, runId), await whereToLook(runs, runId));
  const shown = gates.find(({ subject }) => subject.sha256 === hash);
  const found = wanted === undefined ? (shown ?? gates[0]) : gates.find((gate) => gate.id === wanted);
  if (!found)
    fail("conflict", `Gate ${wanted} of run ${runId} is not open any more.`, {
      remedy: `Open now: ${gates.map((gate) => `${gate.id} (${gate.title})`).join(", ")}. Look at it first`,
      suggestions: [{ suggest: "status", runId }],
    });
  if (wanted === undefined && !shown && gates.length > 1)
    fail("invalid_input", `Run ${runId} waits for ${gates.length} answers.`, {
      remedy: `Say which with --gate: ${gates.map((gate) => `${gate.id} (${gate.title})`).join(", ")}`,
    });
  return found;
}

/** An answer that lets something happen is about a text that was shown: its hash is named (B-4). */
function insistShown(runId: string, gate: Gate, { answer, shown }: GateDecision): void {
  if (!isPassing(answer)) return;
  if (shown === undefined)
    fail("approval_required", "Say what you approve: name the hash of the text that you were shown.", {
      remedy:
        "Nothing is approved unseen. In a terminal the same command shows it and asks you. Elsewhere read what it shows, then repeat your command with --shown and the hash that stands below it",
      suggestions: [{ suggest: "status", runId }],
    });
  if (shown !== gate.subject.sha256)
    fail("conflict", `The text that you were shown is not the text of gate ${gate.id}.`, {
      remedy: "Look at what it shows now, and answer that",
      suggestions: [{ suggest: "status", runId }],
    });
}

export async function answerGate(runs: RepositoryRuns, runId: string, answer: GateDecision): Promise<Gate> {
  const gate = await gateToAnswer(runs, runId, answer);
  if (!gate.answers.includes(answer.answer))
    fail("invalid_input", `The gate "${gate.title}" cannot be answered with ${answer.answer}.`, {
      remedy: "It takes",
      suggestions: gate.answers.map((one) => ({ suggest: "answer", answer: one })),
    });
  if (answer.answer === "revise" && answer.message.trim() === "")
    fail("invalid_input", "A revision needs your words.", {
      remedy: "Say in the message what should be different",
      suggestions: [{ suggest: "answer", answer: "revise", runId, gateId: gate.id }],
    });
  insistShown(runId, gate, answer);
  const { productPaths = [], goal, acceptanceCriteria = [], toBranch, pullRequest } = answer;
  if ((toBranch !== undefined || pullRequest === true) && answer.sign !== undefined)
    fail("invalid_input", "A signature covers the shown text, and no branch that is named beside it.", {
      remedy: "Name the branch when you start the run: thehood run --branch",
    });
  if (productPaths.length > 0 && answer.sign !== undefined)
    fail("invalid_input", "A signature covers the shown text, and no files that are declared beside it.", {
      remedy: "Declare them when you start the run: thehood run --product",
    });
  if ((goal !== undefined || acceptanceCriteria.length > 0) && answer.sign !== undefined)
    fail("invalid_input", "A signature covers the shown text, and no goal or criteria that are named beside it.", {
      remedy: 'Name them when you start the run: thehood run "…" --acceptance "…"',
    });
  const command: UserCommand = {
    type: "answer",
    gateId: gate.id,
    subjectSha256: gate.subject.sha256,
    answer: answer.answer,
    message: answer.message,
    by: answer.by,
    ...extensionIn(answer),
    ...(productPaths.length > 0 ? { productPaths: [...productPaths] } : {}),
    ...(goal === undefined ? {} : { goal }),
    ...(acceptanceCriteria.length > 0 ? { acceptanceCriteria: [...acceptanceCriteria] } : {}),
    ...(toBranch === undefined ? {} : { toBranch }),
    ...(pullRequest === true ? { pullRequest } : {}),
  };
  const said = { gateId: gate.id, answer: answer.answer, subjectSha256: gate.subject.sha256 };
  const signature =
    answer.sign === undefined ? undefined : await runs.signWithSsh(approvalText(runId, said), answer.sign);
  await runs.submit(runId, { ...command, ...(signature === undefined ? {} : { signature }) });
  return gate;
}
