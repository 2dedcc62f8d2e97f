// A gate as a person reads it: the same rows as on the screen. Names, hashes and logs stand behind --verbose.
import { gateDetails, type GateDetails, type OpenGate } from "../../../operations/run-data/index.ts";
import { evidenceLines, gateScreen, textOf } from "../../terminal/print/index.ts";
import type { HoodView } from "./view.ts";

/** How many lines of a gate are shown before the rest is pointed at. */
const shownLines = 80;

/** A pipe has no width: a program that reads it wants each line whole. */
const columnsOf = ({ io }: HoodView): number => (io.terminal ? Math.max(40, io.columns) : 100_000);

export interface GateText {
  readonly text: string;
  /** The change and the doubts are in the text. */
  readonly whole: boolean;
}

/** Rows of a printed gate are not counted: nothing has to fit a screen. */
const anyRoom = 100_000;

function gateText(gate: OpenGate, open: GateDetails, view: HoodView): GateText {
  const { verbose, style, io } = view;
  const columns = columnsOf(view);
  const { lines, mustSee } = verbose
    ? { lines: evidenceLines(gate, open, columns), mustSee: 0 }
    : gateScreen(gate, open, columns, anyRoom);
  const cut = verbose || lines.length <= shownLines ? lines : lines.slice(0, shownLines);
  const rest = lines.length - cut.length;
  const title = gate.summary && gate.summary.sort !== "other" ? [style.yellow(`◆ ${gate.title}`)] : [];
  const text = [
    ...title,
    textOf(cut, io.color),
    ...(rest > 0 ? [`… ${rest} more lines`] : []),
    ...(verbose ? [] : [style.dim(`everything that an approval covers: thehood status ${open.runId} --verbose`)]),
    ...(gate.phrase ? [`Type to approve with --message: ${style.bold(gate.phrase)}`] : []),
  ].join("\n");
  return { text, whole: mustSee <= cut.length };
}

/** The open gates of a run, each as a text. */
export async function gateTexts(runId: string, view: HoodView, folder?: string): Promise<GateText[]> {
  const { context } = view;
  const there = folder === undefined ? context : { ports: context.ports, folder };
  const open = await gateDetails(there, runId);
  return open.gates.map((gate) => gateText(gate, open, view));
}
