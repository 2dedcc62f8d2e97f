// The change that a run captured last, from its base to the whole of its work.
import { fail } from "../../core/contract/index.ts";
import { changedPaths, parsePatch } from "../../core/patch/index.ts";
import type { PinnedChange, RepositoryRuns } from "../context/index.ts";

/** What a pass changed since the pass before it; the first one since the base. */
export async function passChange(runs: RepositoryRuns, runId: string, pass: number): Promise<Uint8Array> {
  const captured = (await runs.events(runId)).flatMap(({ event }) =>
    event.type === "isolated_patch_captured" && event.patch ? [{ pass: event.pass, ...event.patch }] : [],
  );
  const at = captured.findLastIndex((one) => one.pass === pass);
  const [before, wanted] = [captured[at - 1], captured[at]];
  if (!wanted) return fail("not_found", `Pass ${pass} of run ${runId} captured no change.`);
  return before ? runs.between(before.tree, wanted.tree) : (await runs.artifact(runId, wanted.full.ref)).bytes;
}

interface Change extends PinnedChange {
  readonly changedPaths: readonly string[];
}

export async function changeOf(runs: RepositoryRuns, runId: string): Promise<Change> {
  const patches = (await runs.events(runId)).flatMap(({ event }) =>
    event.type === "isolated_patch_captured" && event.patch ? [event.patch] : [],
  );
  const patch = patches.at(-1);
  if (!patch)
    return (
      (await keptChange(runs, runId)) ??
      fail("not_found", `Run ${runId} captured no change.`, {
        remedy: "Look at what it did",
        suggestions: [{ suggest: "logs", runId }],
      })
    );
  const { ref } = patch.full;
  const { bytes } = await runs.artifact(runId, ref);
  return { ref, sha256: ref.slice(7), changedPaths: patch.changedPaths, bytes };
}

/** Work that was pinned at the end of a run whose call never ended well. A person may have dropped it since. */
async function keptChange(runs: RepositoryRuns, runId: string): Promise<Change | undefined> {
  const kept = await runs.lastKept(runId);
  if (!kept || kept.bytes.length === 0) return undefined;
  return { ...kept, changedPaths: [...changedPaths(parsePatch(kept.bytes).patch)] };
}
