// The door of this room: files to one message. Plan first (nothing is written), then as text or as a ZIP.
export { missedIn } from "./missed.ts";
export { planBundle } from "./plan.ts";
export type { BundlePlan } from "./shapes.ts";
export { formatFile, writeText } from "./text/text.ts";
export { manifestOf, packageFolder } from "./zip/package.ts";
export { verifyPackage } from "./zip/verify.ts";
export { writeZip } from "./zip/write.ts";
