// A program carries a person's answer to a gate: only where the user's policy allows it, only after the person was shown
// exactly what the gate shows, and bound to the hash of that. The program itself approves nothing.
import { z } from "zod";
import { fail, gateAnswer, type Failure, type Gate, type Suggestion } from "../../contract/index.ts";
import type { RepositoryRuns } from "../runs-port.ts";
import { operation, type Asking, type Operation } from "../operation.ts";
import { move, runId, standing, waitSeconds } from "./follow.ts";

const input = z.strictObject({
  runId,
  gateId: z.string().min(1).max(64).describe("The open gate, as thehood_status tells it."),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "the hash of what the gate shows, 64 hex digits")
    .describe("The hash of what the gate shows, as thehood_status tells it."),
  waitSeconds,
});
type Input = z.output<typeof input>;

type Remedy = Required<Pick<Failure, "remedy" | "suggestions">>;

/** The way that is always open: a person answers in a terminal. */
async function byHand(
  desk: RepositoryRuns,
  id: string,
  gate: Gate,
  answer: "approve" | "reject",
): Promise<Remedy> {
  const { next } = await desk.status(id);
  const told = next.find(({ kind }) => kind === "continue_with_approval")?.command;
  const suggestion: Suggestion =
    answer === "approve" && told ? told : { suggest: "answer", answer, runId: id, gateId: gate.id };
  return { remedy: "A person decides, in a terminal", suggestions: [suggestion] };
}

/** By the user's policy now, and by the one the run was begun under. */
async function refuseUnlessAllowed(
  asking: Asking,
  desk: RepositoryRuns,
  id: string,
  remedy: Remedy,
): Promise<void> {
  const now = await asking.given.hostMayApprove();
  if (now && (await desk.full(id)).policy.hostMayApprove) return;
  const why = now ? "the policy this run was begun under" : "your policy";
  fail("permission_denied", `A program may not answer gates here: ${why} does not allow it.`, remedy);
}

/** The gate the program means, if it is open and shows what the program says it shows. */
async function gateOf(desk: RepositoryRuns, id: string, { gateId, sha256 }: Input): Promise<Gate> {
  const gate = (await desk.gates(id)).find((open) => open.id === gateId);
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

/** A form is read on a small screen; what is longer is for a terminal. */
const longest = 20_000;

async function asked(asking: Asking, gate: Gate, answers: readonly string[], remedy: Remedy) {
  const { person } = asking;
  if (!person) return fail("approval_required", "This client cannot put a question before a person.", remedy);
  if (answers.length === 0 || gate.subject.text.length > longest)
    return fail("approval_required", "This gate cannot be answered in a form.", remedy);
  const { title, phrase, subject } = gate;
  const spoken = await person.ask({ title, text: subject.text, sha256: subject.sha256, answers, phrase });
  if (spoken.kind !== "answered")
    return fail(
      "approval_required",
      `The person did not answer (${spoken.why}); the gate stays as it was.`,
      remedy,
    );
  const answer = gateAnswer.safeParse(spoken.answer);
  if (!answer.success || !answers.includes(answer.data))
    return fail("approval_required", "The answer that came back is none of those that were offered.", remedy);
  return { answer: answer.data, message: spoken.message };
}

function asks(kind: "approve" | "reject", offered: (gate: Gate) => readonly string[]): Operation<Input> {
  return operation(input, async (wanted, asking) => {
    await using desk = await asking.given.runs(asking.repo);
    const id = await desk.find(wanted.runId);
    const gate = await gateOf(desk, id, wanted);
    const remedy = await byHand(desk, id, gate, kind);
    await refuseUnlessAllowed(asking, desk, id, remedy);
    const { answer, message } = await asked(asking, gate, offered(gate), remedy);
    const from = (await desk.status(id)).counts.events;
    await desk.submit(id, {
      type: "answer",
      gateId: gate.id,
      subjectSha256: gate.subject.sha256,
      answer,
      message,
      by: asking.by,
    });
    if (!(await desk.idle(id))) await move(asking, desk, id, wanted.waitSeconds, from);
    return standing(desk, id, { answered: { gate: gate.id, answer } });
  });
}

/** More budget is asked for in numbers, which a person sets in a terminal. */
export const askApproval = asks("approve", ({ answers }) => answers.filter((answer) => answer !== "extend"));
export const askRejection = asks("reject", ({ answers }) =>
  answers.filter((answer) => answer === "reject" || answer === "abort"),
);
