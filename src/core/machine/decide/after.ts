// The run as it will be after an output is appended, with the seqs that the log will give.
import { evolve } from "../evolve/index.ts";
import type { Decision } from "../decision.ts";
import type { Run } from "../state/index.ts";

export function after(run: Run, output: Decision, at: number): Run {
  return output.events.reduce<Run>((state, event) => evolve(state, { seq: state.seq + 1, at, event }), run);
}
