// Captures everything a worker left, byte for byte, measured against the base commit.
import type { EffectContext, EffectOf, EffectOutcome } from "../../../contract/index.ts";
import { putDiff } from "../redaction.ts";
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
  return {
    kind: "capture_patch",
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
