// A gate as a person reads it: the question, why it is asked, the words and the change it is about. Names and hashes stand
// behind --verbose.
import { laidOpen, type LaidOpen, type OpenGate } from "../../../operations/runs/index.ts";
import { textOf, sheetLines } from "../../terminal/print/index.ts";
import type { HoodView } from "./view.ts";

/** How many lines of a gate are shown before the rest is pointed at. */
const shownLines = 80;

/** A pipe has no width: a program that reads it wants each line whole. */
const columnsOf = ({ io }: HoodView): number => (io.terminal ? Math.max(40, io.columns) : 100_000);

function namesOf(gate: OpenGate, { style }: HoodView): string[] {
  const refs = gate.parts.map(({ ref, summary }) => `  ${ref}  ${summary}`);
  return [`  ${gate.id} · ${gate.kind} · what is shown: sha256 ${gate.sha256}`, ...refs].map(style.dim);
}

function gateText(gate: OpenGate, open: LaidOpen, view: HoodView): string {
  const { verbose, style, io } = view;
  const lines = textOf(sheetLines(gate, open, columnsOf(view)), io.color).split("\n");
  const rest = verbose ? 0 : lines.length - shownLines;
  return [
    ...(rest > 0 ? lines.slice(0, shownLines) : lines),
    ...(rest > 0 ? [`… ${rest} more lines: thehood status ${open.runId} --verbose`] : []),
    ...(verbose ? ["", ...namesOf(gate, view)] : []),
    ...(gate.phrase ? [`To approve, your message must say: ${style.bold(gate.phrase)}`] : []),
  ].join("\n");
}

/** The gates that a run stands at, each as a text. */
export async function gateTexts(runId: string, view: HoodView, folder?: string): Promise<string[]> {
  const { context } = view;
  const there = folder === undefined ? context : { ports: context.ports, folder };
  const open = await laidOpen(there, runId);
  return open.gates.map((gate) => gateText(gate, open, view));
}
