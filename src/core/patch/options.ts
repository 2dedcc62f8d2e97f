// The options of the patch judge.
import { type BinaryTools, fail } from "../contract/index.ts";
import { patchReasons, type PatchReason } from "./reasons.ts";

export interface PatchOptions {
  /** Every path must lie under it, by segments. `\` counts as `/`, a trailing `/` is dropped. */
  readonly restrictPathPrefix?: string;
  /** The user has approved protected paths, files that execute and hidden characters. A secret is not among them. */
  readonly approveProtected?: boolean;
  /** The user has approved these files with everything that would be asked about them, secrets too. */
  readonly approvedPaths?: readonly string[];
  /** Findings that this caller does not ask about; they stay in the list as warnings. */
  readonly approvedReasons?: readonly PatchReason[];
  /** Files that are run as soon as the patch is in the tree: a change of one needs approval. */
  readonly runAfterwards?: readonly string[];
  /** Binary sections are allowed when the functions that unpack them are handed in. */
  readonly binary?: BinaryTools;
  /** The answer rule of the transport: at least one `@@ -a,b +c,d @@`. */
  readonly requireNumericHunk?: boolean;
  /** Globs that are protected beside the built-in table. */
  readonly protectedGlobs?: readonly string[];
  /** Exact paths that look like tests and are product, by a person's word; never files that make programs run. */
  readonly productPaths?: readonly string[];
  /** When given, every path must match one of these globs. */
  readonly allowedPaths?: readonly string[];
  /** No path may match one of these globs. */
  readonly disallowedPaths?: readonly string[];
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly maxHunks?: number;
}

/** The options that a program can send: `allowBinary` stands for the functions. */
type Sent = Exclude<keyof PatchOptions, "binary" | "productPaths"> | "allowBinary";

const spelled = {
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
} as const satisfies Record<Sent, readonly string[]>;

const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const fits: Record<Sent, (value: unknown) => boolean> = {
  restrictPathPrefix: isText,
  approveProtected: (value) => typeof value === "boolean",
  approvedPaths: isTexts,
  approvedReasons: (value) =>
    Array.isArray(value) && value.every((one) => isText(one) && one in patchReasons),
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

/** Options as a program sends them, in either spelling. A value of the wrong type is refused; keys that are not ours are left alone. */
export function readPatchOptions(raw: unknown, binary: BinaryTools): PatchOptions {
  if (raw === undefined || raw === null) return {};
  if (typeof raw !== "object" || Array.isArray(raw)) {
    return fail("invalid_input", "The options of a patch must be an object", {
      remedy: 'Send {"allow_binary": true}, for example',
    });
  }
  const known = new Map<string, Sent>();
  for (const name of Object.keys(spelled) as Sent[]) {
    for (const spelling of [name, ...spelled[name]]) known.set(spelling, name);
  }
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const name = known.get(key);
    if (name === undefined || value === null || value === undefined) continue;
    if (!fits[name](value))
      fail("invalid_input", `The patch option "${key}" has a value of the wrong type`, {
        remedy: `Known options: ${Object.keys(spelled).join(", ")}`,
      });
    if (name === "allowBinary") options["binary"] = value === true ? binary : undefined;
    else options[name] = value;
  }
  return options;
}
