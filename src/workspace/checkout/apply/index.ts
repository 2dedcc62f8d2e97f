// The door to integration: a patch is judged, tried on a scratch index, and moved into the checkout wholly or not at all.
export { applyPatch, checkPatch, heldAlready, type ApplyRequest } from "./apply.ts";
export { integrateTrees } from "./integrate.ts";
export { recoverApplies } from "./recover.ts";
export { checkoutReader } from "./view.ts";
export { revertInCheckout } from "./revert.ts";
export { CheckoutView } from "./view.ts";
