// The closed set of reasons of a patch verdict. The order is the rank: of several findings the first listed decides.
import type { PatchVerdictKind } from "../contract/index.ts";

export const patchReasons = {
  too_large: "reject",
  nul_byte: "reject",
  combined_diff: "reject",
  control_char_path: "reject",
  path_too_long: "reject",
  path_absolute: "reject",
  path_backslash: "reject",
  path_traversal: "reject",
  git_dir: "reject",
  git_dir_ntfs: "reject",
  protected_state: "reject",
  path_reserved: "reject",
  path_not_canonical: "reject",
  submodule: "reject",
  gitmodules: "reject",
  symlink_create: "reject",
  symlink_write_through: "reject",
  symlink_change: "reject",
  mode_invalid: "reject",
  header_mismatch: "reject",
  outside_prefix: "reject",
  path_not_allowed: "reject",
  no_diff_header: "reject",
  hunk_header_malformed: "reject",
  hunk_count_mismatch: "reject",
  patch_malformed: "reject",
  hunk_overlap: "reject",
  empty_patch: "reject",
  duplicate_path: "reject",
  unicode_collision: "reject",
  casefold_collision: "reject",
  binary_not_allowed: "reject",
  no_numeric_hunk: "reject",
  dirty_target: "reject",
  line_ending_mismatch: "reject",
  ambiguous_context: "reject",
  context_mismatch: "reject",
  exec_config: "approval",
  protected_path: "approval",
  bidi_control: "approval",
  hidden_text: "approval",
  secret_in_patch: "approval",
  ok_offset: "accept",
  ok_whitespace_warning: "accept",
  ok: "accept",
} as const satisfies Record<string, PatchVerdictKind>;

export type PatchReason = keyof typeof patchReasons;

const ranks = new Map(Object.keys(patchReasons).map((reason, rank) => [reason, rank]));

export const rankOf = (reason: PatchReason): number => ranks.get(reason) ?? ranks.size;
