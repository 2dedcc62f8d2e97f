// Text of which parts are not known: a plain string in which private characters stand for what a shell would fill in.
// Input that carries such characters itself never gets this far.

/** Any text at all, also none, also with slashes: the value of a variable or the output of a command. */
export const ANY = "\uE000";
/** Any text within one path segment: an unquoted `*`. */
export const STAR = "\uE001";
/** One character: an unquoted `?` or `[…]`. */
export const ONE = "\uE002";

const unknown = /[\uE000-\uE002]/;

export const isLiteral = (pattern: string) => !unknown.test(pattern);
/** Could be an option, or begin with anything. */
export const isOpen = (pattern: string) => /^[\uE000-\uE002]/.test(pattern);

const escapeRegex = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

export function patternRegex(pattern: string, flags = ""): RegExp {
  const source = [...pattern]
    .map((char) => {
      if (char === ANY) return "[^]*";
      if (char === STAR) return "[^/]*";
      return char === ONE ? "[^/]" : escapeRegex(char);
    })
    .join("");
  return new RegExp(`^${source}$`, flags);
}

/** For people: what is unknown shows as an ellipsis. */
export const showPattern = (pattern: string) =>
  pattern.replaceAll(ANY, "…").replaceAll(STAR, "*").replaceAll(ONE, "?");
