// Globs over paths with `/`: `*`, `?`, `**`, `[a-z]`, `{a,b}`. Names that begin with a dot are names like others.

/** Characters that make a pattern a glob rather than a path. */
export const isGlob = (pattern: string): boolean => /[*?[{]/.test(pattern);

/** A test for whole paths. Everything that is not a sign of a glob stands for itself. */
export function compileGlob(pattern: string): (path: string) => boolean {
  const compiled = new RegExp(`^(?:${translate(pattern)})$`, "su");
  return (path) => compiled.test(path);
}

function translate(pattern: string): string {
  let source = "";
  let depth = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index] ?? "";
    if (character === "*") {
      const [taken, meaning] = stars(pattern, index);
      source += meaning;
      index += taken - 1;
    } else if (character === "?") source += "[^/]";
    else if (character === "[") {
      const set = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(pattern.slice(index));
      if (set) {
        source += characterSet(set[1] !== "", set[2] ?? "");
        index += set[0].length - 1;
      } else source += String.raw`\[`;
    } else if (character === "{" && closes(pattern, index)) {
      depth += 1;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (character === "," && depth > 0) source += "|";
    else source += literal(character === "\\" ? (pattern[(index += 1)] ?? "\\") : character);
  }
  return source;
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);

/** `**` between slashes stands for any folders, also none; other stars stay inside of one name. */
function stars(pattern: string, at: number): [taken: number, meaning: string] {
  let end = at;
  while (pattern[end] === "*") end += 1;
  const whole = end - at >= 2 && (at === 0 || pattern[at - 1] === "/");
  if (whole && pattern[end] === "/") return [end - at + 1, "(?:[^/]+/)*"];
  if (whole && end === pattern.length) return [end - at, ".+"];
  return [end - at, "[^/]*"];
}

function characterSet(negated: boolean, members: string): string {
  const safe = members.replace(/[\\[\]^&~|{}()/]/g, String.raw`\$&`);
  return negated ? `[^/${safe}]` : `[${safe}]`;
}

function closes(pattern: string, at: number): boolean {
  let depth = 0;
  for (let index = at; index < pattern.length; index += 1) {
    if (pattern[index] === "{") depth += 1;
    if (pattern[index] === "}" && (depth -= 1) === 0) return true;
  }
  return false;
}
