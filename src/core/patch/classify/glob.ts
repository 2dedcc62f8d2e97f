// Globs over paths, without backtracking: `**` crosses folders, `*` and `?` stay in one, `{a,b}` and `[abc]` as usual.

/** One pattern becomes several when it has braces. Bounded, so that nested braces cannot explode. */
function braces(pattern: string, limit: number): string[] {
  const open = pattern.search(/\{[^{}]*\}/);
  if (open === -1 || limit <= 1) return [pattern];
  const close = pattern.indexOf("}", open);
  const choices = pattern.slice(open + 1, close).split(",");
  const each = Math.max(1, Math.floor(limit / choices.length));
  return choices
    .slice(0, limit)
    .flatMap((choice) => braces(pattern.slice(0, open) + choice + pattern.slice(close + 1), each));
}

/** `[a-z]` at `at`: whether it takes the character, and where it ends. Undefined when it is no class. */
function charClass(pattern: string, at: number, char: string): { takes: boolean; end: number } | undefined {
  const close = pattern.indexOf("]", at + 2);
  if (close === -1) return undefined;
  let body = pattern.slice(at + 1, close);
  const negated = /^[!^]/.test(body);
  if (negated) body = body.slice(1);
  let takes = false;
  for (let index = 0; index < body.length; index++) {
    const low = body[index] ?? "";
    const high = body[index + 1] === "-" && index + 2 < body.length ? (body[index + 2] ?? "") : low;
    if (high !== low) index += 2;
    if (char >= low && char <= high) takes = true;
  }
  return { takes: takes !== negated, end: close + 1 };
}

/** Greedy with one fallback point: the classic linear match of `*` and `?`. */
function segmentMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const want = pattern[p];
    const set = want === "[" ? charClass(pattern, p, text[t] ?? "") : undefined;
    if (want === "*") {
      star = p++;
      mark = t;
    } else if (set ? set.takes : p < pattern.length && (want === "?" || want === text[t])) {
      p = set ? set.end : p + 1;
      t++;
    } else if (star !== -1) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < path.length) {
    const want = pattern[p];
    if (want === "**") {
      star = p++;
      mark = t;
    } else if (want !== undefined && segmentMatches(want, path[t] ?? "")) {
      p++;
      t++;
    } else if (star !== -1) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "**") p++;
  return p === pattern.length;
}

interface GlobOptions {
  readonly ignoreCase?: boolean;
  /** A plain name means the one at the top, as a list of what is allowed must: `src` is not `lib/src`. */
  readonly anchored?: boolean;
}

/** A pattern without a slash matches a name at any depth; a trailing slash, or a folder's name, takes all below it. */
export function globMatches(glob: string, path: string, options: GlobOptions = {}): boolean {
  const text = options.ignoreCase ? path.toLowerCase() : path;
  const segments = text.split("/");
  return braces(options.ignoreCase ? glob.toLowerCase() : glob, 256).some((raw) => {
    const rooted = raw.replace(/^\.?\//, "");
    const trimmed = rooted.replace(/\/+$/, "");
    if (trimmed === "") return false;
    const parts = trimmed.split("/");
    const top = rooted !== raw || (options.anchored === true && !/[*?[]/.test(trimmed));
    const pattern = parts.length === 1 && !top ? ["**", ...parts] : parts;
    return segmentsMatch(pattern, segments) || segmentsMatch([...pattern, "**"], segments);
  });
}
