// Deciding at a gate. A person's words are the answer; a program has its person asked, and carries that answer.
import { fail, type GateAnswer } from "../../contract/index.ts";
import type { Context } from "../context/index.ts";
import { answerGate } from "./answer.ts";
import { askPerson, type Kind } from "./ask-person.ts";
import { standing, type Standing, type Wanted } from "./standing.ts";

export interface Deciding {
  readonly runId: string | undefined;
  readonly gate: string | undefined;
  readonly message: string;
  readonly noContinue: boolean;
  readonly addTokens?: number | undefined;
  readonly addMinutes?: number | undefined;
  readonly sign?: string | undefined;
  readonly sha256?: string | undefined;
  readonly waitSeconds?: number | undefined;
}

export interface Decided {
  readonly standing: Standing;
  readonly gate: string;
  readonly answer: GateAnswer;
}

const asksFor = (answer: GateAnswer): Kind =>
  answer === "reject"
    ? "reject"
    : answer === "approve"
      ? "approve"
      : fail("permission_denied", "Only a person decides this, in a terminal.");

export async function decide(context: Context, answer: GateAnswer, input: Deciding): Promise<Decided> {
  await using runs = await context.ports.runs(context.folder);
  const runId = await runs.find(input.runId);
  const from = (await runs.status(runId)).counts.events;
  const { message, gate: wanted, addTokens, addMinutes } = input;
  const by = context.actor;
  const decided =
    by.kind === "person"
      ? {
          answer,
          gate: await answerGate(runs, runId, {
            answer,
            message,
            by,
            gate: wanted,
            shown: input.sha256,
            addTokens,
            addMinutes,
            sign: input.sign,
          }),
        }
      : await askPerson(context, runs, runId, asksFor(answer), { gate: wanted, sha256: input.sha256 });
  context.tell(`✔ ${decided.gate.title}: ${decided.answer}`);
  const told = { gate: decided.gate.id, answer: decided.answer };
  if (input.noContinue) return { ...told, standing: await standing(runs, runId, "recorded") };
  // A word about a wish beside the loop is none about the loop; another agent in a role is.
  const beside = decided.gate.lane === "side" && decided.gate.kind !== "role_switch";
  const ending: Wanted = beside ? "beside" : decided.answer === "reject" ? "aborted" : undefined;
  const { waitSeconds } = input;
  const besideOnly = beside && by.kind === "person";
  const stop = await context.advance(runs, runId, { from, waitSeconds, besideOnly });
  return { ...told, standing: await standing(runs, runId, stop, ending) };
}
