// A program carries a person's answer to a gate: only where the user's policy allows it, only after the person was shown
// exactly what the gate shows, and bound to the hash of that. The program itself approves nothing.
import {
  fail,
  gateAnswer,
  visibleText,
  type Failure,
  type Gate,
  type GateAnswer,
  type Suggestion,
} from "../../core/contract/index.ts";
import { linesAbove, linesBelow } from "../../core/machine/view/index.ts";
import { shortPatch } from "../../core/patch/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { describeManifest } from "./manifest-text.ts";

type Remedy = Required<Pick<Failure, "remedy" | "suggestions">>;

/** Without the hash: the person is to see the text before it is approved. */
function unseen(suggestion: Suggestion): Suggestion {
  if (suggestion.suggest !== "answer") return suggestion;
  const { shown: _, ...rest } = suggestion;
  return rest;
}

/** The way that is always open: a person answers in a terminal. */
async function byHand(runs: RepositoryRuns, id: string, gate: Gate, answer: "approve" | "reject"): Promise<Remedy> {
  const { next } = await runs.status(id);
  const suggested = next.find(({ kind }) => kind === "continue_with_approval")?.command;
  const suggestion: Suggestion =
    answer === "approve" && suggested ? unseen(suggested) : { suggest: "answer", answer, runId: id, gateId: gate.id };
  return { remedy: "A person decides, in a terminal", suggestions: [suggestion] };
}

/** By the user's policy now, and by the one the run was begun under. */
async function refuseUnlessAllowed(context: Context, runs: RepositoryRuns, id: string, remedy: Remedy): Promise<void> {
  const now = await context.ports.hostMayApprove();
  if (now && (await runs.full(id)).policy.hostMayApprove) return;
  const why = now ? "the policy this run was begun under" : "your policy";
  fail("permission_denied", `A program may not answer gates here: ${why} does not allow it.`, remedy);
}

/** The gate the program means, if it is open and shows what the program says it shows. */
async function gateOf(runs: RepositoryRuns, id: string, { gate: gateId, sha256 }: GateRequestInput): Promise<Gate> {
  const gate = (await runs.gates(id)).find((open) => open.id === gateId);
  if (!gate)
    fail("conflict", `gate_id: gate ${gateId} of run ${id} is not open.`, {
      remedy: "Look at thehood_status again; an answer is used once.",
    });
  if (gate.subject.sha256 !== sha256)
    fail("conflict", `sha256: this is not what gate ${gateId} shows.`, {
      remedy: "Look at thehood_status again, and show the person what it shows now.",
    });
  return gate;
}

/** A form is read on a small screen; a longer text is for a terminal. */
const longest = 20_000;

/** The text of the gate, and the manifest of a transfer: a person decides by what is sent. */
async function textFor(runs: RepositoryRuns, id: string, { subject }: Gate): Promise<string> {
  const manifests = subject.refs.filter(({ kind }) => kind === "transfer_manifest");
  const texts = await Promise.all(
    manifests.map(async ({ ref }) => describeManifest(new TextDecoder().decode((await runs.artifact(id, ref)).bytes))),
  );
  return [subject.text, ...texts].join("\n\n");
}

/** In the order of the screen. No changed line is left out: what does not fit a form is decided in a terminal. */
async function briefOf(runs: RepositoryRuns, id: string, { id: gateId, subject }: Gate): Promise<string> {
  const result = (await runs.full(id)).decisions.find((one) => one.gateId === gateId)?.result;
  if (!result) return "";
  const diffs = subject.refs.filter(({ kind }) => kind === "diff");
  const changes = await Promise.all(
    diffs.map(async ({ ref }) =>
      visibleText(shortPatch(new TextDecoder().decode((await runs.artifact(id, ref)).bytes))),
    ),
  );
  return [...linesAbove(result), "", ...changes, ...linesBelow(result)].join("\n");
}

async function asked(
  context: Context,
  gate: Gate,
  { brief, text }: { readonly brief: string; readonly text: string },
  answers: readonly string[],
  remedy: Remedy,
) {
  const { person } = context;
  if (!person) return fail("approval_required", "This client cannot put a question before a person.", remedy);
  if (answers.length === 0 || brief.length + text.length > longest)
    return fail("approval_required", "This gate cannot be answered in a form.", remedy);
  const { title, phrase, subject } = gate;
  const spoken = await person.ask({ title, brief, text, sha256: subject.sha256, answers, phrase });
  if (spoken.kind !== "answered")
    return fail("approval_required", `The person did not answer (${spoken.why}); the gate stays as it was.`, remedy);
  const answer = gateAnswer.safeParse(spoken.answer);
  if (!answer.success || !answers.includes(answer.data))
    return fail("approval_required", "The answer that came back is none of those that were offered.", remedy);
  // Their words come while the operation works, so the door of its input has not seen them.
  const { redacted } = await context.ports.judges.secrets(spoken.message);
  return { answer: answer.data, message: redacted };
}

export type Kind = "approve" | "reject";

/** The gate a program means, and the hash of what it saw there. */
export interface GateRequestInput {
  readonly gate: string | undefined;
  readonly sha256: string | undefined;
}

/** More budget is asked for in numbers, and a destination is allowed for later: both only where a person answers directly. */
const offered: Readonly<Record<Kind, (answer: GateAnswer) => boolean>> = {
  approve: (answer) => answer !== "extend" && answer !== "remember",
  reject: (answer) => answer === "reject" || answer === "abort",
};

/** Puts the gate before the person, and submits their answer. */
export async function askPerson(
  context: Context,
  runs: RepositoryRuns,
  id: string,
  kind: Kind,
  wanted: GateRequestInput,
): Promise<{ readonly gate: Gate; readonly answer: GateAnswer }> {
  const gate = await gateOf(runs, id, wanted);
  const remedy = await byHand(runs, id, gate, kind);
  await refuseUnlessAllowed(context, runs, id, remedy);
  const shown = { brief: await briefOf(runs, id, gate), text: await textFor(runs, id, gate) };
  const { answer, message } = await asked(context, gate, shown, gate.answers.filter(offered[kind]), remedy);
  await runs.submit(id, {
    type: "answer",
    gateId: gate.id,
    subjectSha256: gate.subject.sha256,
    answer,
    message,
    by: context.actor,
  });
  return { gate, answer };
}
