// The options of `judgePatch`, and reading them from JSON in both spellings.
import { type BinaryTools, fail } from "../contract/index.ts";
import { patchReasons, type PatchReason } from "./reasons.ts";

export interface PatchOptions {
  /** Every path must be under it, by segments. `\` counts as `/`, a trailing `/` is dropped. */
  readonly restrictPathPrefix?: string;
  /** The user has approved protected paths, files that execute and hidden characters, but not secrets. */
  readonly approveProtected?: boolean;
  /** The user has approved every finding of these files, secrets too. */
  readonly approvedPaths?: readonly string[];
  /** Findings that need no approval for this caller; they stay in the list as warnings. */
  readonly approvedReasons?: readonly PatchReason[];
  /** Files that run as soon as the patch is applied: a change of one needs approval. */
  readonly runAfterwards?: readonly string[];
  /** Binary sections are allowed when these functions, which unpack them, are given. */
  readonly binary?: BinaryTools;
  /** The answer rule of the transport: at least one `@@ -a,b +c,d @@`. */
  readonly requireNumericHunk?: boolean;
  /** Globs of protected paths in addition to the built-in table. */
  readonly protectedGlobs?: readonly string[];
  /** Exact paths that look like tests and that the user named as product. Files that make programs run stay protected. */
  readonly productPaths?: readonly string[];
  /** When given, every path must match one of these globs. */
  readonly allowedPaths?: readonly string[];
  /** No path may match one of these globs. */
  readonly disallowedPaths?: readonly string[];
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly maxHunks?: number;
}

/** The options that a program can send, with `allowBinary` instead of the functions. */
type SentOption = Exclude<keyof PatchOptions, "binary" | "productPaths"> | "allowBinary";

const spellings = {
  restrictPathPrefix: ["restrict_prefix", "restrict_path_prefix", "restrictPrefix"],
  approveProtected: ["approve_protected", "approved"],
  approvedPaths: ["approved_paths"],
  approvedReasons: ["approved_reasons"],
  runAfterwards: ["run_afterwards"],
  allowBinary: ["allow_binary"],
  requireNumericHunk: ["require_numeric_hunk"],
  protectedGlobs: ["protected_globs", "protected_paths", "protectedPaths", "protected"],
  allowedPaths: ["allowed_paths"],
  disallowedPaths: ["disallowed_paths", "forbidden_paths"],
  maxBytes: ["max_bytes"],
  maxFiles: ["max_files"],
  maxHunks: ["max_hunks"],
} as const satisfies Record<SentOption, readonly string[]>;

const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const fits: Record<SentOption, (value: unknown) => boolean> = {
  restrictPathPrefix: isText,
  approveProtected: (value) => typeof value === "boolean",
  approvedPaths: isTexts,
  approvedReasons: (value) => Array.isArray(value) && value.every((one) => isText(one) && one in patchReasons),
  runAfterwards: isTexts,
  allowBinary: (value) => typeof value === "boolean",
  requireNumericHunk: (value) => typeof value === "boolean",
  protectedGlobs: isTexts,
  allowedPaths: isTexts,
  disallowedPaths: isTexts,
  maxBytes: isCount,
  maxFiles: isCount,
  maxHunks: isCount,
};

/** Options as a program sends them, in either spelling. A value of the wrong type is refused; unknown keys are ignored. */
export function readPatchOptions(raw: unknown, binary: BinaryTools): PatchOptions {
  if (raw === undefined || raw === null) return {};
  if (typeof raw !== "object" || Array.isArray(raw)) {
    return fail("invalid_input", "The options of a patch must be an object", {
      remedy: 'Send {"allow_binary": true}, for example',
    });
  }
  const known = new Map<string, SentOption>();
  for (const name of Object.keys(spellings) as SentOption[]) {
    for (const spelling of [name, ...spellings[name]]) known.set(spelling, name);
  }
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const name = known.get(key);
    if (name === undefined || value === null || value === undefined) continue;
    if (!fits[name](value))
      fail("invalid_input", `The patch option "${key}" has a value of the wrong type`, {
        remedy: `Known options: ${Object.keys(spellings).join(", ")}`,
      });
    if (name === "allowBinary") options["binary"] = value === true ? binary : undefined;
    else options[name] = value;
  }
  return options;
}
