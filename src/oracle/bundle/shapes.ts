// The parts of a bundle, as its callers see them.
import type { SecretOptions } from "../../core/secrets/index.ts";

/** Why a file is left out. Readers must accept other values. */
export type ExclusionReason =
  | "ignored"
  | "excluded_by_pattern"
  | "outside_root"
  | "not_found"
  | "not_regular"
  | "not_readable"
  | "nested_repository"
  | "symlink"
  | "symlink_escape"
  | "git_dir"
  | "protected_state"
  | "path_not_utf8"
  | "control_char_path"
  | "path_backslash"
  | "path_drive"
  | "path_reserved"
  | "path_too_long"
  | "casefold_collision"
  | "secret_path"
  | "secret_content"
  | "too_large"
  | "binary"
  | "not_utf8"
  | "changed_during_read";

export interface Excluded {
  readonly path: string;
  readonly reason: ExclusionReason;
}

/** A pattern of the caller, with the files it selects. */
export interface Wanted {
  readonly given: string;
  readonly paths: readonly string[];
  /** True for a glob; false for a file or folder that was named directly. */
  readonly glob: boolean;
  /** Why something of it was excluded before any file was opened. */
  readonly held?: ExclusionReason;
}

export interface BundledFile {
  /** Below the root, with `/`. */
  readonly path: string;
  /** The size of the sent content: after redaction, where that was requested. */
  readonly bytes: number;
  readonly sha256: string;
  /** Estimated from the bytes. */
  readonly tokens: number;
  /** Its location, when it is below another root: `path` then begins with the label of that root. */
  readonly from?: { readonly root: string; readonly path: string };
  /** Secrets were replaced in it. */
  readonly redacted?: true;
  /** The same bytes have another name somewhere; they passed every scan. */
  readonly hardlink?: true;
}

interface OtherRoot {
  readonly label: string;
  readonly root: string;
  readonly patterns: readonly string[];
}

export interface BundleRequest {
  readonly root: string;
  /** Paths, folders and globs below the root; `!pattern` leaves out. */
  readonly patterns: readonly string[];
  /** Further folders with patterns of their own; their files are listed under the label. */
  readonly others?: readonly OtherRoot[];
  readonly maxFileBytes?: number;
  readonly maxTotalBytes?: number;
  /** A file with a secret is left out, or sent with the secret replaced. */
  readonly onSecret?: "exclude" | "redact";
  readonly secrets?: Omit<SecretOptions, "file">;
  readonly signal?: AbortSignal;
}

export interface BundlePlan {
  readonly root: string;
  readonly files: readonly BundledFile[];
  readonly excluded: readonly Excluded[];
  /** Labels of secrets found in files, each once, sorted. */
  readonly secretLabels: readonly string[];
  readonly totalBytes: number;
  readonly estimatedTokens: number;
  /** Milliseconds since 1970: when the newest of the files was last changed; 0 without files. */
  readonly newestChange: number;
  readonly limits: { readonly maxFileBytes: number; readonly maxTotalBytes: number };
  readonly patterns: readonly string[];
  readonly wanted: readonly Wanted[];
  readonly onSecret: "exclude" | "redact";
}

export const bundleLimits = { maxFileBytes: 1 << 20, maxTotalBytes: 128 << 20 };
