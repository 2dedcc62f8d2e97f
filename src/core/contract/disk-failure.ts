// Maps errors of the operating system about disks and files to failures: a full disk is not a bug of this program.
import { FailureError, type FailureCode } from "./failure.ts";

/** Linux error numbers without a name in Node. */
const unnamed: Readonly<Record<string, string>> = {
  116: "ESTALE",
  117: "EUCLEAN",
  121: "EREMOTEIO",
  122: "EDQUOT",
};

/** The error code of the operating system: ENOENT, ENOSPC, … */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const number = /^Unknown system error -?(\d+)$/.exec(error.code)?.[1];
  return number === undefined ? error.code : (unnamed[number] ?? error.code);
}

const known: Readonly<Record<string, { code: FailureCode; what: string; remedy: string }>> = {
  ENOSPC: { code: "store_full", what: "the disk is full", remedy: "Free some space, then continue." },
  EDQUOT: { code: "store_full", what: "your quota is used up", remedy: "Free some space, then continue." },
  EFBIG: { code: "store_full", what: "the file may not grow further", remedy: "Raise the file size limit." },
  EIO: { code: "store_io", what: "the disk failed", remedy: "Check the disk, then continue." },
  ESTALE: {
    code: "store_io",
    what: "the server of this folder no longer knows it",
    remedy: "Mount it again, then continue.",
  },
  EUCLEAN: { code: "store_io", what: "the file system is damaged", remedy: "Check the disk, then continue." },
  EREMOTEIO: { code: "store_io", what: "the disk failed", remedy: "Check the disk, then continue." },
  ENODEV: { code: "store_io", what: "the disk is gone", remedy: "Mount it again, then continue." },
  ENXIO: { code: "store_io", what: "the disk is gone", remedy: "Mount it again, then continue." },
  EBUSY: {
    code: "store_io",
    what: "it is in use, for example as a mount of its own",
    remedy: "Unmount it or end its user, then continue.",
  },
  EXDEV: {
    code: "store_io",
    what: "it is on another disk than the folder it is moved to",
    remedy: "Unmount it, then continue.",
  },
  EMFILE: {
    code: "out_of_resources",
    what: "too many files are open in this process",
    remedy: "Raise the limit (ulimit -n), then continue.",
  },
  ENFILE: {
    code: "out_of_resources",
    what: "too many files are open on this machine",
    remedy: "Close programs, then continue.",
  },
  ENOMEM: {
    code: "out_of_resources",
    what: "there is not enough memory",
    remedy: "Close programs, then continue.",
  },
  EAGAIN: {
    code: "out_of_resources",
    what: "the limit of processes or memory is reached",
    remedy: "Close programs or raise the limit (ulimit -u), then continue.",
  },
  EROFS: { code: "permission_denied", what: "it cannot be written", remedy: "Use a writable disk." },
  EACCES: { code: "permission_denied", what: "access is denied", remedy: "Check its owner and its mode." },
  EPERM: { code: "permission_denied", what: "it is not permitted", remedy: "Check its owner and its mode." },
};

/** The failure for an error that a file operation threw; undefined when the error is not about disks or files. */
export function diskFailure(error: unknown): FailureError | undefined {
  if (error instanceof FailureError) return error;
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined;
  const row = known[systemCode(error) ?? ""];
  if (!row) return undefined;
  const where = "path" in error && typeof error.path === "string" ? error.path : String(error.syscall);
  const message = `${where}: ${row.what} (${error.message}).`;
  return new FailureError({ code: row.code, message, remedy: row.remedy }, { cause: error });
}
