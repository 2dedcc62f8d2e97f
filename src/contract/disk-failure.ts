// An error of the operating system about a disk or a file, as a failure: a full disk is no bug of ours.
import { FailureError, type FailureCode } from "./failure.ts";

const known: Readonly<Record<string, { code: FailureCode; what: string; remedy: string }>> = {
  ENOSPC: { code: "store_full", what: "the disk is full", remedy: "Free some space, then continue." },
  EDQUOT: { code: "store_full", what: "your quota is used up", remedy: "Free some space, then continue." },
  EFBIG: { code: "store_full", what: "the file may not grow further", remedy: "Raise the file size limit." },
  EIO: { code: "store_io", what: "the disk failed", remedy: "Check the disk, then continue." },
  EROFS: { code: "permission_denied", what: "it cannot be written", remedy: "Use a writable disk." },
  EACCES: { code: "permission_denied", what: "access is denied", remedy: "Check its owner and its mode." },
  EPERM: { code: "permission_denied", what: "it is not permitted", remedy: "Check its owner and its mode." },
};

/** The failure behind an error that a file operation threw; undefined when it is none, and then a fault. */
export function diskFailure(error: unknown): FailureError | undefined {
  if (error instanceof FailureError) return error;
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined;
  const row = typeof error.code === "string" ? known[error.code] : undefined;
  if (!row) return undefined;
  const where = "path" in error && typeof error.path === "string" ? error.path : String(error.syscall);
  const message = `${where}: ${row.what} (${error.message}).`;
  return new FailureError({ code: row.code, message, remedy: row.remedy }, { cause: error });
}
