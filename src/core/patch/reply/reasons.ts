// Why an answer has no usable diff: the closed set of values of `diffReason`.
import { patchReasons, type PatchReason } from "../reasons.ts";

/** Reasons about the answer. Each reason to refuse a patch is a value too, except that unsafe names share one. */
export const replyReasons = [
  "ok",
  "empty",
  "no_fenced_blocks",
  "no_diff_block",
  "partial_fence",
  "no_numeric_hunk",
  "ambiguous_blocks",
  "unsafe_path",
  "outside_prefix",
  "stale_response",
  "invalid_diff",
] as const;

export type DiffReason = (typeof replyReasons)[number] | PatchReason;

export const diffReasons: readonly DiffReason[] = [
  ...new Set([
    ...replyReasons,
    ...(Object.keys(patchReasons) as PatchReason[]).filter((reason) => patchReasons[reason] === "reject"),
  ]),
];

/** Reasons to refuse a name; for an answer they are all reported as `unsafe_path`. */
export const unsafeNames: ReadonlySet<PatchReason> = new Set([
  "nul_byte",
  "control_char_path",
  "path_too_long",
  "path_absolute",
  "path_backslash",
  "path_traversal",
  "git_dir",
  "git_dir_ntfs",
  "protected_state",
  "path_reserved",
]);
