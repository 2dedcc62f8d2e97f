// Which findings a person has let pass, and the warnings that stay of them.
import type { PatchVerdict } from "../../contract/index.ts";
import type { PatchOptions } from "../options.ts";
import { patchReasons, type PatchReason } from "../reasons.ts";
import type { PatchFinding } from "./finding.ts";

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
