// Records a person's message to a run, and says what became of it.
import {
  type Advice,
  type Extension,
  extensionIn,
  fail,
  type Suggestion,
  type RunMessage,
  type Widening,
} from "../../core/contract/index.ts";
import type { Context } from "../context/index.ts";
import { runStatusOf } from "./snapshot.ts";

export interface TellRequest extends Extension {
  readonly runId?: string | undefined;
  readonly message: string;
  readonly next: boolean;
  readonly now: boolean;
  readonly cancel: boolean;
  readonly disallowedPaths: readonly string[];
  readonly allowedPaths: readonly string[];
  readonly acceptanceCriteria: readonly string[];
}

export interface MessageResult {
  readonly runId: string;
  readonly message: string;
  /** The call that was stopped for it. */
  readonly stopped: string | null;
  /** The gate at which its wider scope waits. */
  readonly gate: string | null;
  /** What becomes of the message, and the way on. */
  readonly next: Advice;
}

function wayOf({ next, now, cancel }: TellRequest): RunMessage["how"] {
  if ([next, now, cancel].filter(Boolean).length > 1)
    fail("invalid_input", "Only one of --next, --now and --cancel can be meant.", {
      remedy: "Leave out all but one; without any, the next call gets your words.",
    });
  return now ? "now" : cancel ? "cancel" : "next";
}

function widened(input: TellRequest): Widening | undefined {
  const { allowedPaths, acceptanceCriteria } = input;
  const widens: Widening = {
    ...extensionIn(input),
    ...(allowedPaths.length > 0 ? { allowedPaths: [...allowedPaths] } : {}),
    ...(acceptanceCriteria.length > 0 ? { acceptanceCriteria: [...acceptanceCriteria] } : {}),
  };
  return Object.keys(widens).length > 0 ? widens : undefined;
}

const becomes = {
  next: "The next call gets your words.",
  now: "The call in progress is stopped and asked again with your words; what it wrote is kept.",
  cancel: "The call in progress is stopped, what it wrote is kept, and the run waits for your decision.",
  nothing: "No call was in progress; the next call gets your words.",
} as const;

export async function tellRun(input: TellRequest, context: Context): Promise<MessageResult> {
  const how = wayOf(input);
  const widens = widened(input);
  const { disallowedPaths } = input;
  const message: RunMessage = {
    text: input.message,
    how,
    ...(disallowedPaths.length > 0 ? { disallowedPaths: [...disallowedPaths] } : {}),
    ...(widens ? { widens } : {}),
  };
  await using runs = await context.ports.runs(context.folder);
  const runId = await runs.find(input.runId);
  await runs.submit(runId, { type: "tell", message, by: context.actor });
  const { messages = [], gates } = await runs.full(runId);
  const stopped = messages.at(-1)?.callId ?? null;
  const { working, idle } = await runStatusOf(runs, runId, "recorded");
  const gate = gates.find(({ kind }) => kind === "scope_change")?.id ?? null;
  const becomesOf = how === "now" && stopped === null ? becomes.nothing : becomes[how];
  const suggestions: Suggestion[] = [
    ...(gate === null ? [] : [{ suggest: "answer", answer: "approve", runId, gateId: gate } as const]),
    ...(working || idle ? [] : [{ suggest: "continue", runId } as const]),
  ];
  const wider = gate === null ? "" : " Its wider scope counts once you approve it.";
  const still = working || idle ? "" : " No process works on the run right now.";
  const advice = `${becomesOf}${wider}${still}${suggestions.length > 0 ? " Next" : ""}`;
  return { runId, message: message.text, stopped, gate, next: { advice, suggestions } };
}
