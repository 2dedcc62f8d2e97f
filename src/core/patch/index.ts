// The door of this room: bytes → patch → verdict or new content, and the class of a path. `reply/` is the door for answers.
import { byteString } from "./bytes.ts";
import type { Patch } from "./model.ts";
import { readText, type PatchReading } from "./read/read.ts";

export { applyHunks } from "./apply/apply.ts";
export { classifyPath, isProtectedPath, type PathKind } from "./classify/classify.ts";
export { approvable, warningsOf } from "./judge/finding.ts";
export { judgePatch, type PatchJudgement } from "./judge/judge.ts";
export { addedSecrets, type CountSecrets } from "./judge/content.ts";
export { countLines } from "./lines.ts";
export { fitLineEnds } from "./mend.ts";
export type * from "./model.ts";
export { readPatchOptions, type PatchOptions } from "./options.ts";
export { printPatch } from "./read/print.ts";
export { showPatch, type ShownFile, type ShownHunk, type ShownLine, type ShownPatch } from "./show/show.ts";
export type { EntryKind, TreeReader } from "./model.ts";

export const parsePatch = (input: Uint8Array | string): PatchReading => readText(byteString(input));

/** Every path the patch writes, creates or removes (not what it only copies from), each once, sorted. */
export function changedPaths({ sections }: Patch): string[] {
  const paths = sections.flatMap(({ change, oldPath, newPath }) => [
    change === "copy" ? null : oldPath,
    newPath,
  ]);
  return [...new Set(paths.filter((path) => path !== null))].sort();
}
