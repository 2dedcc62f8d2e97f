// The results of wishes beside the loop, for a program.
import { fit } from "../fit/index.ts";
import type { Beside } from "./beside.ts";
import { hosted } from "./hosted.ts";

export function hostedBeside({ standing, results, waiting, gate }: Beside): unknown {
  if (results.length === 0) return hosted(standing);
  const read = "thehood_read_artifact with an artifact of `results`.";
  const shown = gate ? { id: gate.id, kind: gate.kind, title: gate.title } : null;
  return fit({ runId: standing.runId, results, waiting, gate: shown, read }, 5_500);
}
