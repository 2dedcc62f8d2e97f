// The checkout around a verified candidate: looked at, and the candidate built again on it when it moved (B-1, B-2).
import type { EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { putDiff } from "./redaction.ts";
import type { CheckoutFiles, EffectPorts } from "./ports.ts";

const mostPaths = 200;

export async function lookAtCheckout(
  ports: EffectPorts,
  effect: EffectOf<"look_at_checkout">,
  { runId }: EffectContext,
): Promise<EffectOutcome> {
  const { moment, expected, paths, since } = effect;
  return lookedAt(moment, expected, await ports.work.look({ runId, expected, paths, since }));
}

export function lookedAt(
  moment: EffectOf<"look_at_checkout">["moment"],
  expected: string,
  { head, tree, whole, differing }: CheckoutFiles,
): EffectOutcome {
  const paths = differing.slice(0, mostPaths);
  return { kind: "look_at_checkout", look: { moment, head, tree, whole, expected, paths } };
}

export async function rebuildCandidate(
  ports: EffectPorts,
  { base, patch, pass, asItIs }: EffectOf<"rebuild_candidate">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { runId } = context;
  const { tree, fromTree, changedPaths: paths } = patch;
  const built = asItIs
    ? await ports.work.takeAsItIs({ runId, placed: { fromTree, tree, paths } })
    : await ports.work.rebuild({ runId, base, tree, paths });
  switch (built.outcome) {
    case "dirty":
      return { kind: "rebuild_candidate_blocked", message: built.message, paths: built.paths };
    case "conflict": {
      const { outcome: _, ...conflict } = built;
      return { kind: "rebuild_candidate_conflict", ...conflict };
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
