// The integrator: puts approved bytes into the checkout, all or nothing, and reports what it did.
import type { EffectContext, EffectOf, EffectOutcome } from "../../../../core/contract/index.ts";
import { lookedAt } from "../candidate.ts";
import { putJson } from "../redaction.ts";
import type { EffectPorts } from "../ports.ts";

export async function applyPatch(
  ports: EffectPorts,
  effect: EffectOf<"apply_patch">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { pass, patch, judgement, baseCommit } = effect;
  const bytes = await ports.artifacts.read(patch.patch.ref);
  const patchSha256 = ports.sha256(bytes);
  const applied = await ports.work.apply({
    runId: context.runId,
    patch: bytes,
    fromTree: patch.fromTree,
    toTree: patch.tree,
    approvedPaths: judgement.paths,
    baseCommit,
    exact: effect.exact ?? null,
    fence: (commit) => context.fence(commit),
  });
  if (!applied.ok && applied.reason === "moved") return lookedAt("before", patch.fromTree, applied.found);
  if (!applied.ok)
    return {
      kind: "apply_patch_blocked",
      reason: applied.reason,
      message: applied.message,
      paths: [...applied.paths],
    };
  const report = {
    kind: "integration",
    runId: context.runId,
    pass,
    sourcePatch: patch.patch.ref,
    patchSha256,
    fromTree: patch.fromTree,
    tree: patch.tree,
    changedPaths: applied.paths,
    protectedChanges: judgement.protectedPaths,
    definingPaths: judgement.definingPaths,
    alreadyApplied: applied.alreadyApplied,
  };
  const summary = `pass ${pass}: ${applied.paths.length} paths integrated`;
  return {
    kind: "apply_patch",
    integration: {
      report: await putJson(ports, "report", report, summary),
      paths: [...applied.paths],
      patchSha256,
      tree: patch.tree,
      alreadyApplied: applied.alreadyApplied,
    },
  };
}
