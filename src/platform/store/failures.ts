// Turns errors of SQLite and of the file system into failures that a person can act on.
import { dirname, join } from "node:path";
import { FailureError, diskFailure, type Failure } from "../../core/contract/index.ts";
import { systemCode } from "../system/index.ts";

/** Primary result codes of SQLite; the extended code carries them in its low byte. */
const primary = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  tooBig: 18,
  constraint: 19,
  notADatabase: 26,
} as const;

/** SQLITE_IOERR_SHMSIZE: the shared index beside the file could not grow, which is how a full disk looks there. */
const noRoomForIndex = 4874;

interface SqliteError extends Error {
  readonly code: "ERR_SQLITE_ERROR";
  readonly errcode: number;
  readonly errstr: string;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** SQLITE_ERROR: the statement does not fit the tables. */
export function isPlainSqlError(error: unknown): error is Error {
  return isSqliteError(error) && error.errcode === 1;
}

/** True when the bytes on disk are not a database, or not the one that was written. */
export function isCorruption(error: unknown): boolean {
  if (error instanceof FailureError) return error.failure.code === "store_corrupt";
  if (systemCode(error) === "ERR_OUT_OF_RANGE") return true;
  if (!isSqliteError(error)) return false;
  const code = error.errcode & 0xff;
  return code === primary.corrupt || code === primary.notADatabase || code === primary.constraint;
}

/** A failure for every disk error; undefined when the error is a bug. */
export function asFailure(error: unknown, where: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (isCorruption(error)) {
    const what = error instanceof Error ? error.message : String(error);
    const none = isSqliteError(error) && (error.errcode & 0xff) === primary.notADatabase;
    return none ? unreadable(where, what) : corrupt(where, what);
  }
  if (isSqliteError(error)) return fromSqlite(error, where);
  return fromSystem(error, where);
}

export function corrupt(where: string, what: string, details?: Failure["details"]): Failure {
  return {
    code: "store_corrupt",
    message: `The store at ${where} is damaged: ${what}.`,
    remedy:
      "Run `thehood log verify` to see which runs are affected. Other runs can still be read; restore the file from a backup, or move it away to start anew.",
    ...(details ? { details } : {}),
  };
}

/** Damage of the whole file: no run can be read, and nothing can be verified. */
export function unreadable(where: string, what: string): Failure {
  const away = join(dirname(where), "damaged");
  return {
    ...corrupt(where, what),
    remedy: `Restore it from a backup. Without one move it away and start anew; artifacts and kept work stay: mkdir ${away} && mv ${where}* ${away}`,
  };
}

function fromSqlite(error: SqliteError, where: string): Failure | undefined {
  const details = { sqlite: error.errcode, text: error.errstr };
  if (error.errcode === noRoomForIndex) return full(where, details);
  switch (error.errcode & 0xff) {
    case primary.full:
      return full(where, details);
    case primary.noMemory:
      return noMemory(where, details);
    case primary.ioError:
      return inputOutput(where, error.message, details);
    case primary.busy:
    case primary.locked:
      return {
        code: "run_busy",
        message: `The store at ${where} is being written by another process and did not come free in time.`,
        remedy: "Wait for the other command to finish, then try again.",
        details,
      };
    case primary.readonly:
    case primary.cantOpen:
      return denied(where, error.message, details);
    default:
      return undefined;
  }
}

function fromSystem(error: unknown, where: string): Failure | undefined {
  const code = systemCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") return full(where, { system: code });
  if (code === "EIO") return inputOutput(where, message, { system: code });
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "ELOOP"].includes(code ?? ""))
    return denied(where, message, { system: code });
  return diskFailure(error)?.failure;
}

function noMemory(where: string, details: Failure["details"]): Failure {
  return {
    code: "out_of_resources",
    message: `There is not enough memory to use ${where}; nothing of this step was stored.`,
    remedy: "Close programs, then continue; everything stored before is intact.",
    ...(details ? { details } : {}),
  };
}

function full(where: string, details: Failure["details"]): Failure {
  return {
    code: "store_full",
    message: `The disk that holds ${where} is full; nothing of this step was stored.`,
    remedy: "Free some space and run the command again; everything stored before is intact.",
    ...(details ? { details } : {}),
  };
}

function inputOutput(where: string, why: string, details: Failure["details"]): Failure {
  return {
    code: "store_io",
    message: `The disk failed while ${where} was used (${why}); this step is not stored.`,
    remedy: "Check the disk, then run the command again in a new process; it goes on from what was stored.",
    ...(details ? { details } : {}),
  };
}

function denied(where: string, why: string, details: Failure["details"]): Failure {
  return {
    code: "permission_denied",
    message: `The store at ${where} cannot be opened or written: ${why}.`,
    remedy: "Check owner and mode of the folder and that it is on a writable disk.",
    ...(details ? { details } : {}),
  };
}
