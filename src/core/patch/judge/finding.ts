// One thing found in a patch, and the list the checks write into.
import type { PatchVerdictKind } from "../../contract/index.ts";
import { patchReasons, rankOf, type PatchReason } from "../reasons.ts";

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
