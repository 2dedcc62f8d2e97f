// Patches for other rooms: read and print a patch, judge it, apply it, show it, and classify paths. Answers of models
// enter through `reply/`.
export { applyHunks } from "./apply/apply.ts";
export { classifyPath, isProtectedPath, type PathKind } from "./classify/classify.ts";
export { approvable, warningsOf } from "./judge/finding.ts";
export { judgePatch, type PatchAssessment } from "./judge/judge.ts";
export { addedSecrets, type CountSecrets } from "./judge/content.ts";
export { countLines } from "./lines.ts";
export { fitLineEnds } from "./mend.ts";
export type * from "./model.ts";
export { readPatchOptions, type PatchOptions } from "./options.ts";
export { printPatch } from "./read/print.ts";
export { changedPaths, parsePatch } from "./read/read.ts";
export { shortPatch } from "./short-patch.ts";
export { showPatch, type ShownFile, type ShownHunk, type ShownLine, type ShownPatch } from "./show/show.ts";
