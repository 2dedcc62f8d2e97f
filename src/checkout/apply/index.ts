// The door to integration: a patch is judged, tried on a scratch index, and moved into the checkout wholly or not at all.
export {
  applyPatch,
  checkPatch,
  heldAlready,
  type ApplyOutcome,
  type ApplyRequest,
  type CheckedPatch,
} from "./apply.ts";
export { integrateTrees, type Integration } from "./integrate.ts";
export { recoverApplies, type Recovery } from "./recover.ts";
export { checkoutReader } from "./tree-reader.ts";
export { View } from "./view.ts";
export type { Conflict, MoveResult } from "./journal.ts";
