// Names with a special meaning on some file system: git's folder, our own state, device names.

/** Characters that HFS+ leaves out when it compares names, and that no reader can see: `.git` with one of them inside is `.git`. */
const withoutInvisible = (segment: string): string => segment.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");

/** The name as the most forgiving file system would compare it. Most names are plain, and nothing in them is hidden. */
function folded(segment: string): string {
  const seen = /^[ -~]*$/.test(segment) ? segment : withoutInvisible(segment).normalize("NFKC");
  return seen.toLowerCase();
}

/** A name as NTFS keeps it: no stream, no trailing dots and spaces. */
function ntfsBase(segment: string): string {
  return folded(segment)
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
}

/** `.git` in any case and encoding, its NTFS short name, and every spelling a file system would take for it. */
export function isGitName(segment: string): boolean {
  const base = ntfsBase(segment);
  return base === ".git" || /^git~\d+$/.test(base);
}

/** Our own state: the folder, and the browser file beside it. */
export function isStateName(segment: string): boolean {
  const base = ntfsBase(segment);
  return /^\.thehood(?:-work|-browser\.json)?$/.test(base) || /^thehoo~\d+$/.test(base);
}

const devices = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9]|lpt[0-9])$/;
const superscripts: Readonly<Record<string, string>> = { "\u00B9": "1", "\u00B2": "2", "\u00B3": "3" };

/** Windows device names (with any extension), streams, trailing dots or spaces, and characters no Windows name has. */
export function isReservedName(segment: string): boolean {
  if (/^\.{3,}$/.test(segment)) return false;
  if (/[. ]$/.test(segment) || /[<>:"|?*]/.test(segment)) return true;
  const plain = segment.toLowerCase().replaceAll(/[\u00B9\u00B2\u00B3]/g, (char) => superscripts[char] ?? char);
  const stem = (plain.split(".")[0] ?? "").replace(/ +$/, "");
  return devices.test(stem);
}
