// The checks of a repository, as operations ask for them.
import type { CheckKind, CheckResult } from "../../core/contract/index.ts";

export interface CheckRow {
  readonly id: string;
  readonly kind: CheckKind;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The file that names it: `package.json#scripts.test`, `go.mod`, `config`. */
  readonly source: string;
  readonly timeoutMs: number;
  readonly missing: readonly { readonly what: string; readonly remedy: string }[];
  /** Its last result on the commit that is checked out; null where none is known. */
  readonly baseline: {
    readonly result: CheckResult;
    readonly durationMs: number;
    readonly note: string | null;
  } | null;
}

export interface ChecksReport {
  readonly repo: string;
  readonly commit: string | null;
  readonly checks: readonly CheckRow[];
  readonly findings: readonly string[];
  /** Agents start from the last commit and do not see these. */
  readonly uncommitted: readonly string[];
}

export interface TestedCheck {
  readonly id: string;
  readonly kind: CheckKind;
  readonly argv: readonly string[];
  readonly result: CheckResult;
  readonly why: string;
  readonly testsRun: number | null;
  readonly durationMs: number;
  /** The lines that tell why, of one that did not pass. */
  readonly lines: readonly string[];
}

export interface TestOptions {
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  tell(line: string): void;
}
