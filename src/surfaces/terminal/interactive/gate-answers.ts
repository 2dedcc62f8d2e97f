// The answers of a gate: their keys and labels, the equivalent command, and the input of the operation.
import { extensionIn, type GateAnswer, type Suggestion } from "../../../core/contract/index.ts";
import type { GateDelivery } from "../../../operations/index.ts";
import type { Decided, GateDetails } from "../../../operations/run-data/index.ts";
import type { ViewDeps } from "./view.ts";

export interface GateOptions {
  readonly deps: ViewDeps;
  readonly open: GateDetails;
  readonly gate: GateDetails["gates"][number];
  /** The suggested extension of the budget, if the gate allows one. */
  readonly extension?: Extract<Suggestion, { suggest: "answer" }> | undefined;
  /** The decision is only recorded: the caller advances the run. */
  readonly recordOnly: boolean;
  /** Where the person who opened the gate wants the work: then `a` asks about that. */
  readonly delivery?: GateDelivery | undefined;
  /** Goal and criteria that the caller has named for an approval. */
  readonly restated?: Pick<GateDelivery, "goal" | "acceptanceCriteria"> | undefined;
  decided(decided: Decided): void;
  /** Reads the gates again and shows the one that is asked first: something that they show was changed. */
  reopen?(): unknown;
  later(): void;
}

/** The keys that approve a result for a new branch, where the gate allows it. */
export const deliveryKeys = ({
  summary,
}: Pick<GateOptions["gate"], "summary">): readonly (readonly [string, string])[] =>
  summary?.branch ? [["b", "branch"], ...(summary.branch.pullRequest ? [["p", "PR"] as const] : [])] : [];

interface Answer {
  readonly key: string;
  readonly word: string;
  readonly operation: "approve" | "revise" | "reject" | "abort";
  readonly input?: object;
}

/** The key and the command of each answer. */
export const answers: Readonly<Record<GateAnswer, Answer>> = {
  approve: { key: "a", word: "approve", operation: "approve" },
  remember: { key: "m", word: "approve and remember", operation: "approve", input: { remember: true } },
  accept: { key: "t", word: "take as it is", operation: "approve", input: { accept: true } },
  retry: { key: "s", word: "send again", operation: "approve", input: { retry: true } },
  extend: { key: "e", word: "extend the budget", operation: "approve" },
  revise: { key: "r", word: "revise", operation: "revise" },
  reject: { key: "x", word: "reject", operation: "reject" },
  abort: { key: "A", word: "abort", operation: "abort" },
};

/** The key and the word of each answer that this gate takes, in the words of what it does. */
export function answerKeys({
  answers: taken,
  summary,
}: Pick<GateOptions["gate"], "answers" | "summary">): readonly AnswerKey[] {
  const words = summary ? sortWords[summary.sort] : {};
  return taken.map((answer) => {
    const { key, word } = answers[answer];
    return { answer, key: (words[answer] ?? { key }).key, word: (words[answer] ?? { word }).word };
  });
}

export interface AnswerKey {
  readonly answer: GateAnswer;
  readonly key: string;
  readonly word: string;
}

type Words = Partial<Record<GateAnswer, { readonly key: string; readonly word: string }>>;

const sortWords: Readonly<Record<"result" | "start" | "other", Words>> = {
  result: { approve: { key: "a", word: "apply" }, revise: { key: "r", word: "send back" } },
  start: {
    approve: { key: "y", word: "start" },
    revise: { key: "r", word: "other plan" },
    reject: { key: "n", word: "cancel" },
  },
  other: {},
};

/** Answers that let the run go on: the user must have seen what they approve. */
export const passing: readonly GateAnswer[] = ["approve", "remember", "accept", "retry", "extend"];

/** The command that an answer equals. */
export function suggestionOf(answer: GateAnswer, { open, gate, extension }: GateOptions): Suggestion {
  const { runId } = open;
  if (answer === "abort") return { suggest: "abort", runId };
  return {
    ...extension,
    suggest: "answer",
    answer,
    runId,
    gateId: gate.id,
    ...(passing.includes(answer) ? { phrase: gate.phrase } : {}),
  };
}

/** The input of the operation that records an answer. */
export function inputOf(
  answer: GateAnswer,
  message: string,
  { open, gate, extension, recordOnly, restated = {} }: GateOptions,
  delivery: GateDelivery = {},
): object {
  const { runId } = open;
  const { operation, input = {} } = answers[answer];
  if (operation === "abort") return { runId, reason: message };
  const budget = answer === "extend" && extension ? extensionIn(extension) : {};
  return {
    runId,
    message,
    gate: gate.id,
    noContinue: recordOnly,
    sha256: gate.sha256,
    waitSeconds: 0,
    ...budget,
    ...input,
    ...(answer === "approve" ? { ...restated, ...delivery } : {}),
  };
}
