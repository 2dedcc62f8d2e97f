// The exit code of a patch's verdict.
import { exitCodes, type PatchVerdict } from "../../core/contract/index.ts";

const exits = {
  accept: exitCodes.ok,
  approval: exitCodes.approvalRequired,
  reject: exitCodes.permissionDenied,
} as const;

export const patchExit = (verdict: PatchVerdict | undefined): number =>
  verdict ? exits[verdict.verdict] : exitCodes.ok;
