// The view of a checkout for a program that we do not trust: bounded, below the root, redacted (S-8).
import type { CheckKind, CheckResult } from "../../core/contract/index.ts";

export interface ListedEntry {
  readonly path: string;
  /** Missing for a folder. */
  readonly bytes?: number;
}

export interface TreePage {
  readonly entries: readonly ListedEntry[];
  readonly total: number;
  readonly next_offset: number | null;
  /** Secret-looking, dependency and build paths that are not shown. */
  readonly hidden: number;
}

export interface SearchHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly searched_files: number;
  /** Too large or binary. */
  readonly skipped_files: number;
  readonly truncated: boolean;
  readonly reason?: "max_hits" | "time";
}

export interface RepoFile {
  readonly path: string;
  readonly bytes: number;
  readonly binary: boolean;
  /** Redacted, as UTF-8; empty for a binary file. */
  readonly text: string;
}

export interface GitChange {
  readonly path: string;
  readonly index: string;
  readonly worktree: string;
}

export interface GitState {
  readonly head: string | null;
  readonly branch: string | null;
  readonly changes: readonly GitChange[];
  readonly total: number;
  readonly hidden: number;
}

export interface RepositoryReader {
  tree(query: { path: string; depth: number; offset: number; limit: number }): Promise<TreePage>;
  search(
    query: {
      text: string;
      regex: boolean;
      ignoreCase: boolean;
      path: string;
      limit: number;
      /** Only files that one of these matches; all without any. */
      globs: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<SearchResult>;
  read(path: string): Promise<RepoFile>;
  status(limit: number): Promise<GitState>;
  /** Redacted text of what differs from a commit, or of what is staged. */
  diff(query: { path: string; staged: boolean; base: string | undefined }): Promise<{ text: string; hidden: number }>;
}

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
