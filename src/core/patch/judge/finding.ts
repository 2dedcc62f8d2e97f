// Findings about a patch: the list that the checks fill, and which findings the user has approved.
import type { PatchVerdict, PatchVerdictKind, ProtectedEffect } from "../../contract/index.ts";
import type { PatchOptions } from "../options.ts";
import { patchReasons, type PatchReason, rankOf } from "../reasons.ts";

export interface PatchFinding {
  readonly reason: PatchReason;
  readonly verdict: PatchVerdictKind;
  readonly message: string;
  readonly path?: string;
  /** For a protected path: what the change can do to the checks. */
  readonly effect?: ProtectedEffect;
}

const most = 200;

export class Findings {
  readonly list: PatchFinding[] = [];
  readonly #seen = new Set<string>();

  add(reason: PatchReason, message: string, path?: string | null, effect?: ProtectedEffect): void {
    const key = `${reason} ${path ?? ""}`;
    if (this.#seen.has(key) || this.list.length >= most) return;
    this.#seen.add(key);
    const finding = { reason, verdict: patchReasons[reason], message, ...(effect ? { effect } : {}) };
    this.list.push(typeof path === "string" ? { ...finding, path } : finding);
  }

  /** Findings by rank; of equal rank the first found comes first. */
  ranked(): PatchFinding[] {
    return this.list.toSorted((one, two) => rankOf(one.reason) - rankOf(two.reason));
  }
}

/** `approvedPaths` approves every finding of a file; `approveProtected` does not approve a secret. */
export function isApproved({ verdict, reason, path }: PatchFinding, options: PatchOptions): boolean {
  if (verdict !== "approval") return verdict === "accept";
  if (path !== undefined && options.approvedPaths?.includes(path)) return true;
  if (options.approvedReasons?.includes(reason)) return true;
  return options.approveProtected === true && reason !== "secret_in_patch";
}

/** Every reason that a user can approve, for a caller whose user has seen all findings. */
export const approvable = (Object.keys(patchReasons) as PatchReason[]).filter(
  (reason) => patchReasons[reason] === "approval",
);

/** The warnings of a patch that may be applied: its approved findings. */
export const warningsOf = ({ verdict, findings }: PatchVerdict): string[] =>
  verdict === "accept"
    ? findings.filter((finding) => finding.verdict === "approval").map(({ message }) => message)
    : [];
