// A gate as a person reads it: the sentences in plain text, the words of each answer, the changes.
import { visibleText, type ArtifactRef } from "../../core/contract/index.ts";
import { describeAnswer } from "./answer-text.ts";
import { describeManifest } from "./manifest-text.ts";
import type { ShownPart, OpenGate, GateDetails } from "./gate-details.ts";

export interface GateSheet {
  readonly title: string;
  readonly facts: readonly string[];
  /** Answers and plans, whole. */
  readonly said: readonly string[];
  /** Texts of others that the run began with, whole. */
  readonly quoted: readonly { readonly name: string; readonly text: string }[];
  /** The manifests of transfers, and the messages that they are about. */
  readonly manifests: readonly string[];
  readonly messages: readonly ArtifactRef["ref"][];
  readonly changes: readonly Extract<ShownPart, { kind: "diff" }>["patch"][];
}

/** Lines that name the gate, its evidence and its phrase: each is written by the runtime in exactly this way. */
function isName({ id, kind, phrase, parts }: OpenGate, one: string): boolean {
  return (
    one.startsWith(`gate ${id} (${kind}) of `) ||
    one === "evidence:" ||
    one === `the message must contain: ${phrase}` ||
    parts.some(({ ref }) => one.startsWith("- ") && one.includes(` ${ref} (`))
  );
}

/** Hashes are named by their beginning. */
const short = (text: string): string => text.replaceAll(/\b[0-9a-f]{40,64}\b/g, (hash) => hash.slice(0, 12));

function factsOf(gate: OpenGate): readonly string[] {
  const [, ...lines] = visibleText(gate.text).split("\n");
  const shown = lines.filter((one) => !isName(gate, one)).map(short);
  return shown
    .filter((one, at) => one !== "" || (shown[at - 1] ?? "") !== "")
    .join("\n")
    .trim()
    .split("\n");
}

/** The sentences of a part; empty where its text is read as it is. */
function wordsOf({ of: kind, text, summary }: Extract<ShownPart, { kind: "text" }>): string {
  if (kind === "plan" || kind === "agent") return describeAnswer(text);
  if (kind === "directive") return `The whole message, as it is sent: ${summary}`;
  return kind === "transfer_manifest" ? describeManifest(text) : "";
}

const isManifest = ({ of: kind }: Extract<ShownPart, { kind: "text" }>): boolean => kind === "transfer_manifest";

export function sheetOf(gate: OpenGate): GateSheet {
  const texts = gate.parts.flatMap((part) => (part.kind === "text" ? [part] : []));
  return {
    title: gate.title,
    facts: factsOf(gate),
    said: texts
      .filter(({ of: kind }) => kind === "plan" || kind === "agent")
      .map(wordsOf)
      .filter(Boolean),
    quoted: texts.filter(({ of: kind }) => kind === "evidence").map(({ summary, text }) => ({ name: summary, text })),
    manifests: texts.filter(isManifest).map(wordsOf),
    messages: texts.filter(({ of: kind }) => kind === "directive").map(({ ref }) => ref),
    changes: gate.parts.flatMap((part) => (part.kind === "diff" ? [part.patch] : [])),
  };
}

export type ReadablePart =
  | Extract<ShownPart, { kind: "diff" }>
  /** The sentences of an answer or a plan; empty where the text is read as it is. */
  | (Extract<ShownPart, { kind: "text" }> & { readonly words: string });

export interface ReadableGate extends Omit<OpenGate, "parts"> {
  /** The lines of the gate. The page reads this field by its name. */
  readonly lines: readonly string[];
  readonly parts: readonly ReadablePart[];
}

export interface GateDetailsView extends Omit<GateDetails, "gates"> {
  readonly gates: readonly ReadableGate[];
}

const readablePart = (part: ShownPart): ReadablePart =>
  part.kind === "diff" ? part : { ...part, words: wordsOf(part) };

export const readable = ({ gates, ...sheet }: GateDetails): GateDetailsView => ({
  ...sheet,
  gates: gates.map((gate) => ({ ...gate, lines: sheetOf(gate).facts, parts: gate.parts.map(readablePart) })),
});
