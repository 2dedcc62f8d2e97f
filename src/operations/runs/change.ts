// The change that a run captured last, from its base to the whole of its work.
import { fail } from "../../contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";

/** What a pass changed since the pass before it; the first one since the base. */
export async function passChange(runs: RepositoryRuns, runId: string, pass: number): Promise<Uint8Array> {
  const captured = (await runs.events(runId)).flatMap(({ event }) =>
    event.type === "isolated_patch_captured" && event.patch ? [{ pass: event.pass, ...event.patch }] : [],
  );
  const at = captured.findLastIndex((one) => one.pass === pass);
  const [before, wanted] = [captured[at - 1], captured[at]];
  if (!wanted) return fail("not_found", `Pass ${pass} of run ${runId} captured no change.`);
  return before
    ? runs.between(before.tree, wanted.tree)
    : (await runs.artifact(runId, wanted.full.ref)).bytes;
}

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
