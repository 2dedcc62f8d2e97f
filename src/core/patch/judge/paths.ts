// Whether a path is safe to write on every system that may check out the repository. Judged after unquoting, by segment.
import { decodeUtf8Strictly, isAscii } from "../bytes.ts";
import type { Name } from "../model.ts";
import type { PatchReason } from "../reasons.ts";

/** The shortest PATH_MAX in use (macOS), and the longest name that every file system accepts. */
const longestPath = 1024;
const longestSegment = 255;
/** Projects do not nest deeper, and each folder costs one lookup in the tree. */
const deepest = 100;

/** Invisible characters. A joiner after a character beyond ASCII is part of the word or emoji. */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}|(?<![^\0-\x7f])[\u200c\u200d]/u;
const ignorable = /[\p{Cc}\p{Cf}]/gu;

/** A segment as a file system sees it that folds case and width and ignores invisible characters. */
const folded = (segment: string): string => plainWidth(segment).replaceAll(ignorable, "").toLowerCase();

const plainWidth = (segment: string): string => (isAscii(segment) ? segment : segment.normalize("NFKC"));

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:[ .:]|$)/i;

/** NTFS drops trailing dots and blanks, cuts at a colon, and gives each long name a short alias. */
function ntfs(segment: string, name: string): boolean {
  const short = new RegExp(String.raw`^(?:${name.slice(1, 7)}~\d|gi[0-9a-f]{4}~\d)$`);
  return (
    segment.replace(/:.*$/s, "").replace(/[. ]+$/, "") === name || (name !== ".git" ? short : /^git~\d+$/).test(segment)
  );
}

function segmentReason(segment: string): PatchReason | undefined {
  if (/^[\w-]+$/.test(segment)) return device.test(segment) ? "path_reserved" : undefined;
  const plain = folded(segment);
  if (plain === ".git") return "git_dir";
  if (ntfs(plain, ".git")) return "git_dir_ntfs";
  if (plain === ".gitmodules" || ntfs(plain, ".gitmodules")) return "gitmodules";
  if (plain.replace(/[. ]+$/, "") === ".thehood") return "protected_state";
  if (device.test(segment) || segment.includes(":")) return "path_reserved";
  return /[ .]$/.test(segment) && !/^\.+$/.test(segment) ? "path_reserved" : undefined;
}

const worst: readonly PatchReason[] = ["git_dir", "git_dir_ntfs", "gitmodules", "protected_state", "path_reserved"];

/** Why a path may not be touched, or undefined. The most important reason is tested first. */
export function pathReason({ bytes, path }: Pick<Name, "bytes" | "path">): PatchReason | undefined {
  if (bytes.includes("\0")) return "nul_byte";
  const segments = path.split("/");
  if (bytes.length > longestPath || segments.length > deepest) return "path_too_long";
  if (bytes.split("/").some((segment) => segment.length > longestSegment)) return "path_too_long";
  if (invisible.test(path))
    return segments.some((segment) => folded(segment) === ".git") ? "git_dir" : "control_char_path";
  if (/^[A-Za-z]:/.test(path)) return "path_absolute";
  if (path.includes("\\")) return "path_backslash";
  if (path.startsWith("/") || segments[0] === "~") return "path_absolute";
  if (segments.some((segment) => plainWidth(segment) === "..")) return "path_traversal";
  const found = new Set(segments.map(segmentReason));
  const reason = worst.find((one) => found.has(one));
  if (reason) return reason;
  const loose = segments.some((segment) => segment === "" || plainWidth(segment) === ".");
  return loose || decodeUtf8Strictly(bytes) === undefined ? "path_not_canonical" : undefined;
}

const why: Partial<Record<PatchReason, string>> = {
  nul_byte: "holds a NUL byte: git would cut the name there and touch another file",
  path_too_long: `is longer than ${longestPath} bytes, one of its parts than ${longestSegment}, or it is deeper than ${deepest} folders`,
  control_char_path: "holds characters that cannot be seen",
  path_absolute: "is absolute or starts with a drive or a home folder",
  path_backslash: "holds a backslash, a separator on some systems",
  path_traversal: 'leads out of its folder with ".."',
  git_dir: "is in a git folder",
  git_dir_ntfs: "is a git folder under another name on Windows",
  gitmodules: "defines submodules",
  protected_state: "belongs to the runtime's own state",
  path_reserved: "is a reserved name on some systems (device, stream, trailing dot or blank)",
  path_not_canonical: "is not in its shortest form, or no UTF-8",
};

export const pathMessage = (reason: PatchReason, path: string): string =>
  `${JSON.stringify(path.slice(0, 120))} ${why[reason] ?? "may not be touched"}`;
