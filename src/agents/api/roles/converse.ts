// The conversation of one call: read, read, answer; each bounded in number, bytes and time.
import {
  type ProviderCall,
  type ProviderUsage,
  type ReadAllowance,
  plainLine,
  readResponse,
  tokensCost,
} from "../../../core/contract/index.ts";
import type { StreamedAnswer } from "../stream.ts";
import { describeShapeProblem, diffIn, repairPrompt, systemPrompt } from "../../answer.ts";
import type { Past } from "./form.ts";
import type { RepoReading } from "./reading.ts";
import { type Asking, Oversize, takeTurn } from "./turn.ts";

type ConversationResult =
  | { readonly outcome: "answered"; readonly text: string; readonly patch?: Uint8Array }
  | { readonly outcome: "failed"; readonly error: string; readonly budget?: "token" | "money" };

interface Conversing {
  readonly call: ProviderCall;
  readonly model: string;
  readonly asking: Asking;
  readonly reading: RepoReading | null;
  readonly allowance: ReadAllowance | null;
  /** Counts up as turns are paid for, whatever becomes of the call. */
  readonly usage: { value: ProviderUsage | null };
}

/** Turns beside those that read: the answer, its form, and mended diffs. */
const otherTurns = 6;
const repairs = 2;
/** All turns together may be this many times as long as one answer: each of them is sent back with the next. */
const mostSaid = 4;

export async function converseOverApi(conversing: Conversing): Promise<ConversationResult> {
  const { call, model, asking, reading, allowance } = conversing;
  const past: Past[] = [];
  const left = { shapes: 1, repairs };
  const turns = otherTurns + (allowance?.calls ?? 0);
  let mustAnswer = reading === null;
  let totalBytes = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    mustAnswer ||= reading?.spent() === true;
    const answer = await takeTurn(asking, {
      model,
      system: systemPrompt(call, allowance),
      prompt: call.prompt,
      past,
      tools: reading?.tools ?? [],
      mustAnswer,
      contract: call.contract,
    });
    count(conversing, answer);
    totalBytes += sizeOf(answer);
    if (totalBytes > mostSaid * call.maxAnswerBytes) throw new Oversize();
    const parsed = asking.form.read(answer);
    if (parsed.kind === "refused") return failed(`The model refused: ${parsed.why.slice(0, 500)}`);
    if (parsed.kind === "incomplete")
      return failed(`The answer is incomplete (${parsed.why}), and the beginning of an answer does not count as one.`);
    past.push({ kind: "assistant", turn: answer.turn });
    if (parsed.kind === "uses") {
      const over = overBudget(conversing);
      if (over) return over;
      past.push({ kind: "results", results: await resultsOf(conversing, parsed.uses) });
      continue;
    }
    const next = weigh(parsed.text, call, left);
    if (next.kind === "done") return next.result;
    past.push(...answered(answer, next.prompt));
    mustAnswer ||= next.mustAnswer;
  }
  return failed(`The model was asked ${turns} times and gave no answer.`);
}

type Weighed =
  | { readonly kind: "done"; readonly result: ConversationResult }
  | { readonly kind: "again"; readonly prompt: string; readonly mustAnswer: boolean };

/** Whether this text goes to the runtime as it is, or the model is asked once more first. */
function weigh(text: string, call: ProviderCall, left: { shapes: number; repairs: number }): Weighed {
  const misshapen = problemOf(text, call);
  if (misshapen !== undefined && left.shapes > 0) {
    left.shapes -= 1;
    return { kind: "again", prompt: describeShapeProblem(misshapen), mustAnswer: true };
  }
  if (call.role !== "implementer" || call.workspace.mode !== "worktree")
    return { kind: "done", result: { outcome: "answered", text } };
  const found = diffIn(text, call);
  if (found.kind === "patch") return { kind: "done", result: { outcome: "answered", text, patch: found.patch } };
  if (found.kind === "none") return { kind: "done", result: { outcome: "answered", text } };
  if (left.repairs === 0)
    return { kind: "done", result: failed(`The diff in the answer cannot be used: ${found.why}`) };
  left.repairs -= 1;
  return { kind: "again", prompt: repairPrompt(found.why), mustAnswer: false };
}

/** The fault in the shape of an answer. Only the runtime decides whether it is accepted, and for which directive. */
function problemOf(text: string, { contract, ack }: ProviderCall): string | undefined {
  const read = readResponse(contract, text, ack);
  if (read.ok) return undefined;
  const { reason, message } = read.refusal;
  return reason === "not_json" || reason === "schema" ? message : undefined;
}

async function resultsOf({ call, reading }: Conversing, uses: StreamedAnswer["uses"]) {
  const results = [];
  for (const use of uses) {
    call.progress?.(plainLine(`${use.name} ${use.input}`, 2_000));
    results.push(
      reading === null ? { id: use.id, text: "There are no tools in this call.", ok: false } : await reading.use(use),
    );
  }
  return results;
}

/** If the answer came as a tool use, the next turn must begin with a result for it. */
function answered(answer: StreamedAnswer, prompt: string): Past[] {
  return answer.uses.length > 0
    ? [{ kind: "results", results: answer.uses.map(({ id }) => ({ id, text: prompt, ok: false })) }]
    : [{ kind: "user", text: prompt }];
}

const sizeOf = ({ text, uses }: StreamedAnswer): number =>
  uses.reduce((sum, { input }) => sum + input.length, text.length);

const failed = (error: string) => ({ outcome: "failed" as const, error });

/** Another turn would cost what the run has no more of. */
function overBudget({ usage, call }: Conversing): ConversationResult | null {
  const { tokens = null, usd = null, price } = call.limits ?? {};
  const value = usage.value ?? { inputTokens: 0, outputTokens: 0 };
  const used = value.inputTokens + value.outputTokens;
  const over = (budget: "token" | "money") => ({
    ...failed(`It was stopped: it used up the ${budget} budget of the run (${used} tokens).`),
    budget,
  });
  if (tokens !== null && used > tokens) return over("token");
  const cost = value.costUsd ?? (price ? tokensCost(price, value) : 0);
  return usd !== null && cost > usd ? over("money") : null;
}

function count({ usage, call }: Conversing, answer: StreamedAnswer): void {
  const { inputTokens = 0, outputTokens = 0, costUsd } = answer.usage ?? {};
  // A server that counts nothing has not counted.
  if (!inputTokens && !outputTokens) return;
  usage.value = {
    inputTokens: (usage.value?.inputTokens ?? 0) + (inputTokens ?? 0),
    outputTokens: (usage.value?.outputTokens ?? 0) + (outputTokens ?? 0),
    ...(costUsd === undefined ? {} : { costUsd: (usage.value?.costUsd ?? 0) + costUsd }),
  };
  call.news?.({ usage: usage.value });
}
