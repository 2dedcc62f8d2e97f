// A gate as a person reads it: the question, why it is asked, the words and the change it is about. Names and hashes stand
// behind --verbose.
import { gateDetails, type GateDetails, type OpenGate } from "../../../operations/run-data/index.ts";
import { textOf, sheetLines } from "../../terminal/print/index.ts";
import type { HoodView } from "./view.ts";

/** How many lines of a gate are shown before the rest is pointed at. */
const shownLines = 80;

/** A pipe has no width: a program that reads it wants each line whole. */
const columnsOf = ({ io }: HoodView): number => (io.terminal ? Math.max(40, io.columns) : 100_000);

export interface GateText {
  readonly text: string;
  /** Nothing of the gate was left out. */
  readonly whole: boolean;
}

function namesOf(gate: OpenGate, { style }: HoodView): string[] {
  const refs = gate.parts.map(({ ref, summary }) => `  ${ref}  ${summary}`);
  return [`  ${gate.id} · ${gate.kind} · what is shown: sha256 ${gate.sha256}`, ...refs].map(style.dim);
}

function gateText(gate: OpenGate, open: GateDetails, view: HoodView): GateText {
  const { verbose, style, io } = view;
  const lines = textOf(sheetLines(gate, open, columnsOf(view)), io.color).split("\n");
  const rest = verbose ? 0 : lines.length - shownLines;
  const text = [
    ...(rest > 0 ? lines.slice(0, shownLines) : lines),
    ...(rest > 0
      ? [`… ${rest} more lines: thehood status ${open.runId} --verbose shows all that you would approve`]
      : []),
    ...(verbose ? ["", ...namesOf(gate, view)] : []),
    ...(gate.phrase ? [`To approve, your message must say: ${style.bold(gate.phrase)}`] : []),
  ].join("\n");
  return { text, whole: rest <= 0 };
}

/** The open gates of a run, each as a text. */
export async function gateTexts(runId: string, view: HoodView, folder?: string): Promise<GateText[]> {
  const { context } = view;
  const there = folder === undefined ? context : { ports: context.ports, folder };
  const open = await gateDetails(there, runId);
  return open.gates.map((gate) => gateText(gate, open, view));
}
