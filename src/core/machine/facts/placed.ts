// The work that a run put into the checkout, and whether it is still to be found there.
import type { PlacedWork } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";

/** Direct edits are in the checkout as soon as they are captured. */
export function placedWork(run: Run): PlacedWork | undefined {
  const placed = run.passes.flatMap(({ captured, integration, looks }) => {
    const patch = captured?.patch;
    // Work that is verified once more together with edits of the user was looked at after it was applied.
    const there = integration !== null || looks.some(({ moment }) => moment === "last");
    return patch && (there || patch.workspace === "direct") ? [patch] : [];
  });
  const [first, last] = [placed[0], placed.at(-1)];
  if (!first || !last) return undefined;
  const paths = [...new Set(placed.flatMap(({ changedPaths }) => changedPaths))];
  return { fromTree: first.fromTree, tree: last.tree, paths };
}

/** The same, unless it was taken out again. */
export const workInCheckout = (run: Run): PlacedWork | undefined =>
  run.undo?.state === "done" ? undefined : placedWork(run);
