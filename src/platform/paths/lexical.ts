// Judges a path by its characters alone, without reading the disk.
import { isAbsolute, normalize, sep } from "node:path";
import { isGitName, isReservedName, isStateName } from "../system/index.ts";

const pathReasons = [
  "ok",
  "path_empty",
  "nul_byte",
  "control_char_path",
  "path_too_long",
  "path_tilde",
  "path_drive",
  "path_backslash",
  "path_traversal",
  "outside_root",
  "path_reserved",
  "git_dir",
  "protected_state",
  "secret_path",
  "symlink_escape",
  "symlink_write_through",
  "symlink_loop",
  "not_found",
  "not_a_directory",
  "not_regular",
  "not_readable",
  "bad_segment",
] as const;
export type PathReason = (typeof pathReasons)[number];

export type PathOp = "read" | "write" | "segment";

type Lexical =
  | { readonly ok: true; readonly segments: readonly string[] }
  | { readonly ok: false; readonly reason: PathReason };

const maxPathBytes = 4096;
const maxSegmentBytes = 255;
const bytes = (text: string) => Buffer.byteLength(text, "utf8");
const refuse = (reason: PathReason): Lexical => ({ ok: false, reason });

/** A run id, slug or tool name: text that becomes a folder name. */
export function isSafeSegment(text: string): boolean {
  return (
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text) && !text.includes("..") && !isReservedName(text) && !isGitName(text)
  );
}

function shape(path: string): PathReason | undefined {
  if (path === "") return "path_empty";
  if (path.includes("\0")) return "nul_byte";
  if (!path.isWellFormed() || /[\u0001-\u001F\u007F-\u009F\u2028\u2029]/.test(path)) return "control_char_path";
  if (bytes(path) >= maxPathBytes) return "path_too_long";
  if (path.startsWith("~")) return "path_tilde";
  if (process.platform === "win32") return undefined;
  if (/^[A-Za-z]:/.test(path)) return "path_drive";
  if (path.includes("\\")) return "path_backslash";
  return undefined;
}

/** The part below the root, or the reason for refusal. Each root is a spelling of the same folder. */
function belowRoot(roots: readonly string[], path: string): string | PathReason {
  if (!isAbsolute(path)) return path;
  for (const root of roots) {
    const prefix = root.endsWith(sep) ? root : root + sep;
    if (path + sep === prefix) return ".";
    if (path.startsWith(prefix)) return path.slice(prefix.length);
  }
  // `/other/../root/x` names a file inside; only its normal form shows it.
  const normal = normalize(path);
  if (normal !== path) return belowRoot(roots, normal);
  return "outside_root";
}

function walkDots(path: string): string[] | undefined {
  const kept: string[] = [];
  for (const segment of path.split(process.platform === "win32" ? /[\\/]/ : "/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept;
}

/** Invisible characters. A joiner behind a character beyond ASCII belongs to the spelling of the word or emoji. */
const unseen = /(?![\u200c\u200d])\p{Cf}|(?<![^\0-\x7f])[\u200c\u200d]/u;

function names(segments: readonly string[], op: PathOp): PathReason | undefined {
  for (const segment of segments) {
    if (bytes(segment) > maxSegmentBytes) return "path_too_long";
    if (isGitName(segment)) return "git_dir";
    if (isStateName(segment)) return "protected_state";
  }
  if (op !== "write" && process.platform !== "win32") return undefined;
  if (segments.some((segment) => unseen.test(segment))) return "control_char_path";
  if (segments.some((segment) => segment.normalize("NFKC") === "..")) return "path_traversal";
  return segments.some(isReservedName) ? "path_reserved" : undefined;
}

/** Reads may be normalised; a write that needs normalising is refused, because no plain target is spelled that way. */
export function judgeLetters(roots: readonly string[], path: string, op: PathOp): Lexical {
  if (op === "segment") return isSafeSegment(path) ? { ok: true, segments: [path] } : refuse("bad_segment");
  const bad = shape(path);
  if (bad) return refuse(bad);
  const below = belowRoot(roots, path);
  if (below === "outside_root") return refuse("outside_root");
  if (op === "write" && below.split("/").includes("..")) return refuse("path_traversal");
  const segments = walkDots(below);
  if (!segments) return refuse("path_traversal");
  if (op === "write" && segments.length === 0) return refuse("path_empty");
  const reason = names(segments, op);
  return reason ? refuse(reason) : { ok: true, segments };
}
