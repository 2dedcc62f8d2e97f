// Captures everything a worker left, byte for byte, measured against the base commit.
import type { ArtifactRef, EffectContext, EffectOf, EffectOutcome } from "../../../../core/contract/index.ts";
import { putDiff, putJson } from "../redaction.ts";
import type { EffectPorts } from "../ports.ts";

export async function capturePatch(
  ports: EffectPorts,
  effect: EffectOf<"capture_patch">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { pass, workspace, baseCommit, fromTree } = effect;
  const work = await ports.work.capture({ runId: context.runId, workspace, baseCommit, fromTree, pass });
  if (work.tree === fromTree) return { kind: "capture_patch", patch: null, keptRef: work.keptRef };
  const patch = await putDiff(ports, work.patch, `work of pass ${pass}: ${work.changedPaths.length} paths`);
  const full = await putDiff(ports, work.full, `all work up to pass ${pass}`);
  const invocation = await withPatch(ports, effect.invocation, full);
  return {
    kind: "capture_patch",
    ...(invocation ? { invocation } : {}),
    patch: {
      patch,
      patchSha256: ports.sha256(work.patch),
      full,
      fromTree,
      tree: work.tree,
      changedPaths: [...work.changedPaths],
      workspace,
      keptRef: work.keptRef,
      ...(work.flags.length > 0 ? { flags: work.flags.slice(0, 200) } : {}),
    },
    keptRef: work.keptRef,
  };
}

/** The record of how the worker's program ran is written when it ends; the patch that came of it is known only here. */
async function withPatch(
  ports: EffectPorts,
  ref: string | null,
  patch: ArtifactRef,
): Promise<ArtifactRef | undefined> {
  if (ref === null) return undefined;
  const record = JSON.parse(ports.text.decode(await ports.artifacts.read(ref))) as Record<string, unknown>;
  const summary = `${String(record["command"])} as ${String(record["role"])}, with its patch`;
  return putJson(ports, "provider_invocation", { ...record, patchArtifact: patch.ref }, summary);
}
