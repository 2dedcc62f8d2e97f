// The checkout around a verified candidate: looked at, and the candidate built again on it when it moved (B-1, B-2).
import type { EffectContext, EffectOf, EffectOutcome } from "../../contract/index.ts";
import { putDiff } from "./redaction.ts";
import type { EffectPorts } from "./ports.ts";

const mostPaths = 200;

export async function lookAtCheckout(
  ports: EffectPorts,
  effect: EffectOf<"look_at_checkout">,
): Promise<EffectOutcome> {
  const { moment, expected, paths, since } = effect;
  const found = await ports.work.look({ expected, paths, since });
  const { head, tree, whole } = found;
  return {
    kind: "look_at_checkout",
    look: { moment, head, tree, whole, expected, paths: found.differing.slice(0, mostPaths) },
  };
}

export async function rebuildCandidate(
  ports: EffectPorts,
  { base, patch, pass }: EffectOf<"rebuild_candidate">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { runId } = context;
  const built = await ports.work.rebuild({ runId, base, tree: patch.tree, paths: patch.changedPaths });
  switch (built.outcome) {
    case "dirty":
      return { kind: "rebuild_candidate_blocked", message: built.message, paths: built.paths };
    case "conflict": {
      const { onto, tree, paths, message } = built;
      return { kind: "rebuild_candidate_conflict", onto, tree, paths, message };
    }
    case "rebuilt": {
      const diff = await putDiff(
        ports,
        built.patch,
        `work of pass ${pass}, built again on ${built.onto.commit}`,
      );
      return {
        kind: "rebuild_candidate",
        onto: built.onto,
        patch: {
          ...patch,
          patch: diff,
          full: diff,
          patchSha256: ports.sha256(built.patch),
          fromTree: built.onto.tree,
          tree: built.tree,
          changedPaths: [...built.changedPaths],
          keptRef: built.keptRef,
        },
      };
    }
  }
}
