// The headless runner: repeats advance until the end, a gate, no progress or the cycle cap. It approves nothing.
import { openGates } from "../../core/machine/index.ts";
import type { Advanced, AdvanceOptions } from "./advance.ts";

export type LoopStop = "terminal" | "approval_required" | "no_progress" | "max_cycles" | "interrupted";

export interface LoopOptions extends AdvanceOptions {
  readonly maxCycles?: number | undefined;
}

export interface Looped {
  readonly run: Advanced["run"];
  readonly stop: LoopStop;
  readonly cycles: number;
  readonly steps: number;
}

const defaults = { maxCycles: 64, maxSteps: 25 } as const;

export async function loop(
  advance: (options: AdvanceOptions) => Promise<Advanced>,
  options: LoopOptions,
): Promise<Looped> {
  const { maxCycles = defaults.maxCycles, maxSteps = defaults.maxSteps } = options;
  let steps = 0;
  for (let cycles = 1; ; cycles += 1) {
    const done = await advance({ ...options, maxSteps });
    steps += done.steps;
    const { run } = done;
    if (done.stop === "interrupted") return { run, stop: "interrupted", cycles, steps };
    if (done.stop === "terminal") return { run, stop: "terminal", cycles, steps };
    if (openGates(run).length > 0 && done.stop === "approval_required")
      return { run, stop: "approval_required", cycles, steps };
    if (done.steps === 0) return { run, stop: "no_progress", cycles, steps };
    if (cycles >= maxCycles) return { run, stop: "max_cycles", cycles, steps };
  }
}
