// Entries, removal of folders that are still written, and the folder for temporary files. Node's `throwIfNoEntry: false`
// still throws for a file in the place of a folder and for a name that is too long.
import { lstatSync, statSync, type PathLike, type Stats, rmSync, accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { systemCode, fail } from "../../core/contract/index.ts";

// Nothing there is the usual answer, and an exception would cost ten times the look.
const quietly = { throwIfNoEntry: false } as const;
const absent = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

function orNone(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (absent.has(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** The entry itself, a link as a link. */
export const entryAt = (path: PathLike): Stats | undefined => orNone(() => lstatSync(path, quietly));

/** The entry that the path leads to, through links. */
export const targetAt = (path: PathLike): Stats | undefined => orNone(() => statSync(path, quietly));

const stillWritten = new Set<string | undefined>(["ENOTEMPTY", "EBUSY", "EEXIST"]);
const pauseMs = 50;

/** Retries: the children of a killed process may write into the folder for a moment. */
export function removeFolder(folder: string, waitMs = 5_000): void {
  for (let left = waitMs; ; left -= pauseMs) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left <= 0 || !stillWritten.has(systemCode(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Falls back to the usual folders when TMPDIR is missing or read-only. */
export function temporaryRoot(): string {
  const usual = process.platform === "win32" ? [] : ["/tmp", "/var/tmp"];
  return (
    [tmpdir(), ...usual].find(isUsable) ??
    fail("permission_denied", `Temporary files cannot be written: ${tmpdir()} is not a folder that we may use.`, {
      remedy: "Set TMPDIR to a folder that is there and can be written, then continue.",
    })
  );
}
