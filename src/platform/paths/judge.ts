// The path judge: may this path, under this root, be read or written?
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { PathVerdict } from "../../core/contract/index.ts";
import { judgeLetters, type PathOp, type PathReason } from "./lexical.ts";
import { isGitName, isStateName } from "../system/index.ts";
import { isSecretPath } from "./secret-names.ts";
import { codeOf, PathRefusal, walk, type FoundPath } from "./walk.ts";

export interface Root {
  /** Absolute, without links. */
  readonly real: string;
  /** Every way a caller may spell it. */
  readonly spellings: readonly string[];
}

export function openableRoot(root: string): Root {
  const given = resolve(root);
  const real = existsSync(given) ? realpathSync(given) : given;
  return { real, spellings: real === given ? [real] : [real, given] };
}

const nameReason = (segments: readonly string[]): PathReason | undefined => {
  if (segments.some(isGitName)) return "git_dir";
  if (segments.some(isStateName)) return "protected_state";
  return isSecretPath(segments.join("/")) ? "secret_path" : undefined;
};

/**
 * Letters, then the walk, then the names again where links have led. Throws PathRefusal; the caller closes the parent.
 * `trusted` is for the runtime's own work on paths that were already judged: a credential file may then be touched.
 */
export function locatePath(root: Root, path: string, op: "read" | "write", trusted = false): FoundPath {
  const letters = judgeLetters(root.spellings, path, op);
  if (!letters.ok) throw new PathRefusal(letters.reason);
  const found = walkMaybeMissing(root, letters.segments, op);
  const reason = nameReason(found.segments);
  const missing = op === "read" && !found.stats;
  if (missing || (reason && !(trusted && reason === "secret_path"))) {
    found.parent.close();
    throw new PathRefusal(missing || !reason ? "not_found" : reason);
  }
  return found;
}

/** A write may name folders that do not exist yet: then the deepest one that does is the parent. */
function walkMaybeMissing(root: Root, segments: readonly string[], op: "read" | "write"): FoundPath {
  for (let depth = segments.length; ; depth--) {
    try {
      const found = walk(root.real, segments.slice(0, depth), { follow: op === "read" });
      if (depth === segments.length) return found;
      if (found.stats && !found.stats.isDirectory()) {
        found.parent.close();
        throw new PathRefusal("not_a_directory");
      }
      return { ...found, stats: undefined, segments };
    } catch (error) {
      const missing = error instanceof PathRefusal && error.reason === "not_found";
      if (!missing || op === "read" || depth === 0) throw error;
    }
  }
}

function judgeOnDisk(root: Root, path: string, op: "read" | "write"): PathVerdict {
  if (!existsSync(root.real)) {
    const letters = judgeLetters(root.spellings, path, op);
    if (!letters.ok) return { allowed: false, reason: letters.reason };
    const reason = op === "read" ? "not_found" : nameReason(letters.segments);
    return reason ? { allowed: false, reason } : { allowed: true, reason: "ok" };
  }
  const found = locatePath(root, path, op);
  found.parent.close();
  const kind = found.stats;
  if (kind && !kind.isFile() && !kind.isDirectory()) return { allowed: false, reason: "not_regular" };
  return { allowed: true, reason: "ok" };
}

/** Looks, opens nothing for writing, changes nothing. An allowed path can still change: `openUnder` decides again. */
export function judgePath(root: string, path: string, op: PathOp): PathVerdict {
  if (op === "segment") {
    const letters = judgeLetters([], path, op);
    return letters.ok ? { allowed: true, reason: "ok" } : { allowed: false, reason: letters.reason };
  }
  try {
    return judgeOnDisk(openableRoot(root), path, op);
  } catch (error) {
    if (error instanceof PathRefusal) return { allowed: false, reason: error.reason };
    const code = codeOf(error);
    if (code === "EACCES" || code === "EPERM") return { allowed: false, reason: "not_readable" };
    if (code === "ENAMETOOLONG") return { allowed: false, reason: "path_too_long" };
    throw error;
  }
}
