// What a caller may ask of the patch judge.

export interface PatchOptions {
  /** Every path must lie under it, by segments. `\` counts as `/`, a trailing `/` is dropped. */
  readonly restrictPathPrefix?: string;
  /** The user has approved what would be asked: protected paths, files that execute, hidden characters. */
  readonly approveProtected?: boolean;
  readonly allowBinary?: boolean;
  /** The answer rule of the transport: at least one `@@ -a,b +c,d @@`. */
  readonly requireNumericHunk?: boolean;
  /** Globs that are protected beside the built-in table. */
  readonly protectedGlobs?: readonly string[];
  /** When given, every path must match one of these globs. */
  readonly allowedPaths?: readonly string[];
  /** No path may match one of these globs. */
  readonly disallowedPaths?: readonly string[];
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly maxHunks?: number;
}
