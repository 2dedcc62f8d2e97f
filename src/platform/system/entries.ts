// The entry at a path, or nothing. Node's own `throwIfNoEntry` still throws when a file stands where a folder should, and
// for a name that is too long for any entry.
import { lstatSync, statSync, type PathLike, type Stats } from "node:fs";
import { systemCode } from "./codes.ts";

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
