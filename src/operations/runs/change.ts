// The change that a run captured last, from its base to the whole of its work.
import { fail } from "../../contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";

export async function changeOf(
  runs: RepositoryRuns,
  runId: string,
): Promise<{ ref: string; changedPaths: readonly string[]; bytes: Uint8Array }> {
  const patches = (await runs.events(runId)).flatMap(({ event }) =>
    event.type === "isolated_patch_captured" && event.patch ? [event.patch] : [],
  );
  const patch =
    patches.at(-1) ??
    fail("not_found", `Run ${runId} captured no change.`, {
      remedy: "Look at what it did",
      suggestions: [{ suggest: "logs", runId }],
    });
  const { ref } = patch.full;
  const { bytes } = await runs.artifact(runId, ref);
  return { ref, changedPaths: patch.changedPaths, bytes };
}
