// One thing found in a patch, and the list the checks write into.
import type { PatchVerdict, PatchVerdictKind } from "../../contract/index.ts";
import type { PatchOptions } from "../options.ts";
import { patchReasons, type PatchReason, rankOf } from "../reasons.ts";

export interface PatchFinding {
  readonly reason: PatchReason;
  readonly verdict: PatchVerdictKind;
  readonly message: string;
  readonly path?: string;
}

const most = 200;

export class Findings {
  readonly list: PatchFinding[] = [];
  readonly #seen = new Set<string>();

  add(reason: PatchReason, message: string, path?: string | null): void {
    const key = `${reason} ${path ?? ""}`;
    if (this.#seen.has(key) || this.list.length >= most) return;
    this.#seen.add(key);
    const finding = { reason, verdict: patchReasons[reason], message };
    this.list.push(typeof path === "string" ? { ...finding, path } : finding);
  }

  /** Findings in order of weight; of equal weight the first found. */
  ranked(): PatchFinding[] {
    return this.list.toSorted((one, two) => rankOf(one.reason) - rankOf(two.reason));
  }
}

/** A file that is named is approved whole; the general word for protected changes does not cover a secret. */
export function isApproved({ verdict, reason, path }: PatchFinding, options: PatchOptions): boolean {
  if (verdict !== "approval") return verdict === "accept";
  if (path !== undefined && options.approvedPaths?.includes(path)) return true;
  if (options.approvedReasons?.includes(reason)) return true;
  return options.approveProtected === true && reason !== "secret_in_patch";
}

/** Every reason that a person can approve, for a caller whose person has seen all of them. */
export const approvable = (Object.keys(patchReasons) as PatchReason[]).filter(
  (reason) => patchReasons[reason] === "approval",
);

/** The warnings of a patch that may be applied: each thing that was let pass. */
export const warningsOf = ({ verdict, findings }: PatchVerdict): string[] =>
  verdict === "accept"
    ? findings.filter((finding) => finding.verdict === "approval").map(({ message }) => message)
    : [];
