// A gate that is laid open, with the sentences that a person reads first: the reasons, and the words of each answer.
import { describeAnswer } from "./answer-text.ts";
import type { ShownPart, GateDetails, OpenGate } from "./gate-details.ts";
import { sheetOf } from "./sheet.ts";

export type ReadablePart =
  | Extract<ShownPart, { kind: "diff" }>
  /** The sentences of an answer or a plan; empty where the text is read as it is. */
  | (Extract<ShownPart, { kind: "text" }> & { readonly words: string });

export interface ReadableGate extends Omit<OpenGate, "parts"> {
  readonly told: readonly string[];
  readonly parts: readonly ReadablePart[];
}

export interface GateDetailsView extends Omit<GateDetails, "gates"> {
  readonly gates: readonly ReadableGate[];
}

const readablePart = (part: ShownPart): ReadablePart =>
  part.kind === "diff"
    ? part
    : { ...part, words: part.of === "plan" || part.of === "agent" ? describeAnswer(part.text) : "" };

export const readable = ({ gates, ...sheet }: GateDetails): GateDetailsView => ({
  ...sheet,
  gates: gates.map((gate) => ({ ...gate, told: sheetOf(gate).told, parts: gate.parts.map(readablePart) })),
});
