// The decision at a gate, in the place where a person waits for the run.
import type { GateAnswer } from "../../../core/contract/index.ts";
import type { Decided, GateDetails } from "../../../operations/run-data/index.ts";
import { performNamed } from "../interactive/desk.ts";
import { createGateView } from "../interactive/gate-view.ts";
import { type Opening, openViews } from "../interactive/open.ts";
import type { Context } from "../../../operations/index.ts";

export interface AskedGate {
  readonly title: string;
  /** Null when the person decides later. */
  readonly answer: GateAnswer | null;
}

/** The person at the screen. Their answer is told when the screen is given back. */
const atScreen = (context: Context): Context =>
  Object.create(context, {
    actor: { value: { kind: "person", surface: "tui" } },
    tell: { value: () => undefined },
  }) as Context;

/** Shows the gate that the run stands at; the answer is recorded, and the caller moves the run. */
export async function askAtGate(opening: Opening, runId: string): Promise<AskedGate | undefined> {
  const context = atScreen(opening.context);
  const open = (await performNamed("gate", { runId }, context)) as GateDetails;
  const gate = open.gates.find(({ lane }) => lane === "main") ?? open.gates[0];
  if (!gate) return undefined;
  let answer: GateAnswer | null = null;
  await openViews({ ...opening, context }, (desk) => {
    const decided = (done: Decided) => {
      ({ answer } = done);
      desk.quit();
    };
    return createGateView({ desk, open, gate, recordOnly: true, decided, later: () => desk.quit() });
  });
  return { title: gate.title, answer };
}
