// The exit code of wishes beside the loop: from their results, or from the gate that one of them waits at.
import { exitCodes } from "../../contract/index.ts";
import type { Beside } from "./beside.ts";
import { exitOf } from "./exit.ts";

export function besideExit({ standing, results, gate }: Beside): number {
  if (gate) return exitOf(standing);
  return results.every(({ outcome }) => outcome === "completed") ? exitCodes.ok : exitCodes.failure;
}
