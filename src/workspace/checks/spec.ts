// A check as discovery finds it.
export type CheckKind = "typecheck" | "lint" | "test" | "build" | "other";

export interface CheckSpec {
  /** Stable in a run: `npm:test`, `cargo:test`, with the folder when it is not the root: `npm:test@web`. */
  readonly id: string;
  readonly kind: CheckKind;
  readonly argv: [string, ...string[]];
  /** Relative to the tree; "" is the root. */
  readonly cwd: string;
  /** Where it was found: `package.json#scripts.test`, `go.mod`. */
  readonly source: string;
  readonly timeoutMs: number;
}

/** What discovery found in a tree. */
export interface CheckPlan {
  readonly checks: readonly CheckSpec[];
  /** Things a person should know: nothing found, a manifest that cannot be read, a script that judges nothing. */
  readonly findings: readonly string[];
}
