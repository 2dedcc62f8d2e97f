// The judges as operations ask them, whatever room decides.
import type { CommandVerdict, PatchVerdict, PathVerdict, ReplyVerdict, SecretMatch } from "./judge.ts";

/** The five judges, and the look at a repository before anything else touches it. */
export interface Judges {
  /** `folder`: where it would run; paths below its project and tools that are installed there are known. */
  command(line: string, folder?: string): Promise<CommandVerdict>;
  patch(patch: Uint8Array | string, options: PatchCheckOptions): Promise<PatchVerdict>;
  /** `requireAck`: the directive the answer must acknowledge. */
  reply(answer: string, options?: { readonly requireAck?: string }): Promise<ReplyVerdict>;
  secrets(text: string, file?: string): Promise<{ matches: readonly SecretMatch[]; redacted: string }>;
  path(root: string, path: string, op: string): Promise<PathVerdict>;
  repository(folder: string): Promise<RepositoryReport>;
}

export interface PatchCheckOptions {
  readonly repo?: string | undefined;
  readonly restrictPathPrefix?: string | undefined;
  readonly approveProtected?: boolean | undefined;
  /** Files that the person approves with everything in them, secrets too. */
  readonly approvedPaths?: readonly string[] | undefined;
  readonly allowBinary?: boolean | undefined;
  /** Other fields of a caller's line; the judge reads those it knows. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

export interface RepositoryReport {
  readonly folder: string;
  readonly findings: readonly {
    readonly kind: string;
    readonly path: string;
    readonly severity: string;
    readonly what: string;
    readonly why: string;
    readonly remedy: string;
  }[];
  readonly notes: readonly string[];
}

/** The effect of a patch on a checkout, or why it had none. */
export interface PatchApplied {
  readonly applied: boolean;
  readonly verdict: PatchVerdict;
  readonly changed: readonly string[];
}
