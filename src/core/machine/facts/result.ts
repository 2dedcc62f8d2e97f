// The result of a run: the pass whose verified work went into the checkout, or is for a branch of its own.
import type { Pass, Run } from "../state/index.ts";
import { lastIntegratedPass, latestPass } from "./passes.ts";

export function resultOf(run: Run): { readonly pass: Pass; readonly tree: string } | undefined {
  const integrated = lastIntegratedPass(run);
  if (integrated?.integration) return { pass: integrated, tree: integrated.integration.tree };
  const pass = latestPass(run);
  const tree = pass.captured?.patch?.tree;
  return run.created.toBranch !== undefined && tree !== undefined ? { pass, tree } : undefined;
}
