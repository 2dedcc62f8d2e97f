// A gate that is laid open, with the sentences that a person reads first: the reasons, and the words of each answer.
import { answerWords } from "./answer-text.ts";
import type { ShownPart, LaidOpen, OpenGate } from "./laid-open.ts";
import { sheetOf } from "./sheet.ts";

export type ReadablePart =
  | Extract<ShownPart, { kind: "diff" }>
  /** The sentences of an answer or a plan; empty where the text is read as it is. */
  | (Extract<ShownPart, { kind: "text" }> & { readonly words: string });

export interface ReadableGate extends Omit<OpenGate, "parts"> {
  readonly told: readonly string[];
  readonly parts: readonly ReadablePart[];
}

export interface ReadableSheet extends Omit<LaidOpen, "gates"> {
  readonly gates: readonly ReadableGate[];
}

const readablePart = (part: ShownPart): ReadablePart =>
  part.kind === "diff"
    ? part
    : { ...part, words: part.of === "plan" || part.of === "agent" ? answerWords(part.text) : "" };

export const readable = ({ gates, ...sheet }: LaidOpen): ReadableSheet => ({
  ...sheet,
  gates: gates.map((gate) => ({ ...gate, told: sheetOf(gate).told, parts: gate.parts.map(readablePart) })),
});
