// The verdicts of the five judges, as every surface and program sees them.
import { z } from "zod";

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
  readonly findings: readonly { reason: string; verdict: PatchVerdictKind; path?: string; message: string }[];
}

export interface ReplyVerdict {
  /** The exact bytes of the chosen diff, or null. */
  readonly selected: string | null;
  readonly reason: string;
  readonly diffBlocks: number;
  readonly diffScore: number;
}

export interface SecretMatch extends Span {
  readonly label: string;
}

/** A match in a file, with its place as an editor counts it: both from 1. */
export interface PlacedSecret extends SecretMatch {
  readonly line: number;
  readonly column: number;
}

export interface PathVerdict {
  readonly allowed: boolean;
  readonly reason: string;
}
