// The entry at a path, or nothing. Node's own `throwIfNoEntry` still throws when a file stands where a folder should, and
// for a name that is too long for any entry.
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

export function temporaryRoot(): string {
  const usual = process.platform === "win32" ? [] : ["/tmp", "/var/tmp"];
  return (
    [tmpdir(), ...usual].find(isUsable) ??
    fail(
      "permission_denied",
      `Temporary files cannot be written: ${tmpdir()} is no folder that we may use.`,
      {
        remedy: "Set TMPDIR to a folder that is there and can be written, then continue.",
      },
    )
  );
}
