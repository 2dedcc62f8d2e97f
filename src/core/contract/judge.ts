// The port of the five judges (command, patch, reply, secrets, path), and their verdicts.
import { z } from "zod";
import type { CommandPlace } from "./command-place.ts";
import type { ProtectedEffect } from "./protected-change.ts";

const commandClasses = [
  "read_only",
  "local_write",
  "network",
  "dependency_install",
  "destructive",
  "credential_sensitive",
  "unknown",
] as const;
export const commandClass = z.enum(commandClasses);
export type CommandClass = z.infer<typeof commandClass>;

/** Offsets count UTF-16 units of the given text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface CommandVerdict {
  readonly class: CommandClass;
  readonly gated: boolean;
  readonly why: string;
  /** The parts that decided, riskiest first. */
  readonly parts: readonly { class: CommandClass; why: string; text: string; span: Span }[];
}

export type PatchVerdictKind = "accept" | "approval" | "reject";

export interface PatchVerdict {
  readonly verdict: PatchVerdictKind;
  /** `ok`, or a reason code of the closed set in `patch/`. */
  readonly reason: string;
  readonly message: string;
  /** Every path the patch can touch, unquoted, each once, sorted. */
  readonly paths: readonly string[];
  /** Everything found, not only what decided. */
  readonly findings: readonly {
    reason: string;
    verdict: PatchVerdictKind;
    path?: string;
    message: string;
    /** For a protected path: what the change can do to the checks. */
    effect?: ProtectedEffect;
  }[];
  /** The form that an answer was converted from, and the patch that came of it. */
  readonly converted?: { readonly from: string; readonly patch: string };
}

export interface ReplyVerdict {
  /** The exact bytes of the chosen diff, or null. */
  readonly selected: string | null;
  readonly reason: string;
  readonly diffBlocks: number;
  readonly diffScore: number;
}

/**
 * The question about a text. `transfer`: may it leave the machine? Every finding counts, also a word that only its name or
 * its place makes a password. `print`: may it be shown or logged? Such a word stays, so that logs stay readable.
 */
export type SecretUse = "transfer" | "print";

export interface SecretMatch extends Span {
  readonly label: string;
}

/** A match in a file, with its location as an editor counts it: both from 1. */
export interface PlacedSecret extends SecretMatch {
  readonly line: number;
  readonly column: number;
}

export interface PathVerdict {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface CommitVerdict {
  readonly commit: string;
  readonly verdict: "verified" | "unbound" | "tampered";
  readonly reason: string;
  readonly run?: string;
  /** Whether the checks ran on the very tree of this commit. */
  readonly sameTree?: boolean;
  /** Signed answers of people, each with its signer. */
  readonly signed?: readonly { readonly gate: string; readonly answer: string; readonly by: string }[];
}

/** The five judges, and the inspection of a repository before any other access. */
export interface Judges {
  /** `folder`: where it would run; paths below its project and tools installed there are taken into account. */
  command(line: string, folder?: string, where?: CommandPlace): Promise<CommandVerdict>;
  patch(patch: Uint8Array | string, options: PatchCheckOptions): Promise<PatchVerdict>;
  /** `requireAck`: the directive the answer must acknowledge. */
  reply(answer: string, options?: { readonly requireAck?: string }): Promise<ReplyVerdict>;
  secrets(text: string, file?: string, use?: SecretUse): Promise<{ matches: readonly SecretMatch[]; redacted: string }>;
  path(root: string, path: string, op: string): Promise<PathVerdict>;
  repository(folder: string): Promise<RepositoryReport>;
}

export interface PatchCheckOptions {
  readonly repo?: string | undefined;
  readonly restrictPathPrefix?: string | undefined;
  readonly approveProtected?: boolean | undefined;
  /** Files that the user approves with all of their content, secrets too. */
  readonly approvedPaths?: readonly string[] | undefined;
  readonly allowBinary?: boolean | undefined;
  /** The file is an answer of a model: its change is converted to a patch first. */
  readonly convert?: boolean | undefined;
  /** Other fields of a caller's request; the judge reads those it knows. */
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
