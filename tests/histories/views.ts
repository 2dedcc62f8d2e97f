// The views of a recorded history, as one digest: every prefix of the log, every view, byte for byte.
import { createHash } from "node:crypto";
import type { Recorded } from "../../src/core/contract/index.ts";
import { buildFinalReport, buildProgressPacket, evolve, fullView, type Run } from "../../src/core/machine/index.ts";

export function viewsDigest(events: readonly Recorded[]): string {
  const hash = createHash("sha256");
  let run: Run | undefined;
  for (const event of events) {
    run = evolve(run, event);
    hash.update(JSON.stringify([fullView(run), buildProgressPacket(run), buildFinalReport(run)]));
  }
  return hash.digest("hex");
}
