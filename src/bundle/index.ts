// The door of this room: files to one message. Plan first (nothing is written), then as text or as a ZIP.
export { planBundle } from "./plan.ts";
export type { BundledFile, BundlePlan, BundleRequest, Excluded, ExclusionReason } from "./shapes.ts";
export { defaultLimits } from "./shapes.ts";
export { formatFile, writeText, type TextOptions } from "./text/text.ts";
export { countTokens, estimateTokens, judgeBudget, type OverBudget } from "./tokens.ts";
export {
  ArchiveRefusal,
  readArchive,
  type ArchiveEntry,
  type ArchiveLimits,
  type ArchiveReason,
} from "./zip/archive.ts";
export { excludedOf, manifestOf, packageFolder, type Manifest, type PackageOptions } from "./zip/package.ts";
export { plannedPath, writeTemporaryZip, type TemporaryZip } from "./zip/temporary.ts";
export { verifyPackage } from "./zip/verify.ts";
export { writeZip, type WrittenZip, type ZipOptions } from "./zip/write.ts";
