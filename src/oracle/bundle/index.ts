// Files as one message: a plan first, which writes nothing, then a text or a ZIP.
export { missedIn, planBundle } from "./plan.ts";
export type { BundlePlan } from "./shapes.ts";
export { formatFile, writeText } from "./text.ts";
export { manifestOf, packageFolder } from "./zip/package.ts";
export { verifyPackage } from "./zip/read-back.ts";
export { writeZip } from "./zip/write.ts";
