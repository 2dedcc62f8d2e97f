// The exit code of wishes beside the loop: from their results, or from the gate that one of them waits at.
import { exitCodes } from "../../core/contract/index.ts";
import type { SideTaskOutcome } from "./side-task.ts";
import { exitOf } from "./exit.ts";

export function sideTaskExit({ standing, results, gate }: SideTaskOutcome): number {
  if (gate) return exitOf(standing);
  return results.every(({ outcome }) => outcome === "completed") ? exitCodes.ok : exitCodes.failure;
}
