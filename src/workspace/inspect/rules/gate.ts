// The letters that all paths of a pattern share, read off the pattern: most patterns are then never asked, and never
// compiled, which costs far more than asking them.

interface Gate {
  /** Some name on the path begins with a dot. */
  readonly hidden: boolean;
  /** How the path ends, in lower case. */
  readonly ending: string;
}

const beginsHidden = "(^|\\/)\\.";
const meta = "()[]{}?*+|.^$";

export function gateOf({ source }: RegExp): Gate {
  // Of several patterns in one nothing is known.
  if (source.includes("$|")) return { hidden: false, ending: "" };
  const optional = meta.includes(source[beginsHidden.length] ?? "") && source[beginsHidden.length] !== "(";
  return { hidden: source.startsWith(beginsHidden) && !optional, ending: literalEnd(source).toLowerCase() };
}

/** The plain characters right before the final `$`. */
function literalEnd(source: string): string {
  let ending = "";
  for (let at = source.length - 2; source.endsWith("$") && at >= 0; at--) {
    const char = source[at] ?? "";
    const escaped = source[at - 1] === "\\";
    if (escaped ? /\w/.test(char) : meta.includes(char)) break;
    ending = char + ending;
    if (escaped) at--;
  }
  return ending;
}

interface Subject {
  readonly path: string;
  readonly hidden: boolean;
  readonly lower: string;
}

export const subjectOf = (path: string): Subject => ({
  path,
  hidden: path.startsWith(".") || path.includes("/."),
  lower: path.toLowerCase(),
});

export const mayTake = ({ hidden, ending }: Gate, subject: Subject): boolean =>
  (!hidden || subject.hidden) && subject.lower.endsWith(ending);
