// Names that stay out whatever the file holds: they could mislead a reader, a file system or a terminal, or they say
// that a secret is inside.
import { isGitName, isReservedName, isSecretPath, isStateName } from "../../../platform/paths/index.ts";
import { findSecrets } from "../../../core/secrets/index.ts";
import type { ExclusionReason } from "../shapes.ts";

/** Control characters, line ends of any kind, and marks that turn the direction of text. */
const unprintable = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;
const longestPath = 1024;

export function judgeName(path: string): ExclusionReason | undefined {
  const segments = path.split("/");
  if (!path.isWellFormed()) return "path_not_utf8";
  if (segments.some(isGitName)) return "git_dir";
  if (segments.some(isStateName)) return "protected_state";
  if (unprintable.test(path)) return "control_char_path";
  if (path.includes("\\")) return "path_backslash";
  if (/^[A-Za-z]:/.test(path)) return "path_drive";
  if (segments.some(isReservedName)) return "path_reserved";
  if (Buffer.byteLength(path) > longestPath) return "path_too_long";
  return isSecretPath(path) || findSecrets(path).length > 0 ? "secret_path" : undefined;
}

/** Tells which of the paths, given in order, an earlier one would overwrite where case and encoding do not count. */
export function createCollisionJudge(): (path: string) => boolean {
  const files = new Set<string>();
  const folders = new Map<string, string>();
  const fold = (path: string) => path.normalize("NFC").toLowerCase();
  return (path) => {
    const key = fold(path);
    const parents = path
      .split("/")
      .slice(0, -1)
      .map((_, index, names) => names.slice(0, index + 1).join("/"));
    const taken =
      files.has(key) ||
      folders.has(key) ||
      parents.some((folder) => files.has(fold(folder)) || (folders.get(fold(folder)) ?? folder) !== folder);
    if (taken) return true;
    files.add(key);
    for (const folder of parents) folders.set(fold(folder), folder);
    return false;
  };
}
