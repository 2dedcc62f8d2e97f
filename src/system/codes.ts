// What the operating system said: as its own short word (ENOENT, ENOSPC, …), and as a failure a person can act on.
import type { Failure } from "../contract/index.ts";

export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const full = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const denied = new Set(["EACCES", "EPERM", "EROFS"]);

/** What a disk did to us; undefined when the error is something else, most likely a bug of ours. */
export function diskFailure(error: unknown): Failure | undefined {
  const code = systemCode(error) ?? "";
  const message = error instanceof Error ? error.message : String(error);
  if (full.has(code))
    return {
      code: "store_full",
      message: `The disk is full: ${message}.`,
      remedy: "Free some space, then try again.",
    };
  if (denied.has(code))
    return {
      code: "permission_denied",
      message: `${message}.`,
      remedy: "Check owner and mode of the folder, and that it can be written.",
    };
  if (code === "EIO")
    return {
      code: "store_io",
      message: `The disk failed: ${message}.`,
      remedy: "Check the disk, then try again.",
    };
  return undefined;
}
