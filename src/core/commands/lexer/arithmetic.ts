// Finds code in quotes that shell arithmetic would run: arithmetic evaluates the values of variables and subscripts as text,
// so `x='a[$(…)]'; (( x ))` runs the quoted substitution.

const substitution = /\$\(|`|\$\{/;
/** Text with a substitution between two quotes; the quotes need not be a pair. */
const betweenQuotes = /'[^']*(?:\$\(|`|\$\{)[^']*'/;
/** Escaped text with a substitution. */
const escapedSubstitution = /\\\$\\?\(|\\\\?`|\$'[^']*\\(?:x24|x60|0?44|140|u0024|u0060|U00000024|U00000060)[^']*'/;

/** Constructs in which the shell evaluates a value or a subscript. */
const evaluates = [
  /\(\(/,
  /\$\[/,
  /\s-(?:eq|ne|lt|le|gt|ge|v)\s/,
  /\b(?:let|unset|read|mapfile|readarray|printf\s+-v|wait\s+-\w*p|getopts)\b/,
  /\b(?:declare|typeset|local|export|readonly)\b/,
  /\$\{[#!]?\w+(?:\[[^\]]*\])?:\s*[^-+=?\s]/,
  /\$\{[#!]?\w+\[/,
  /(?:^|[\s;&|(])\w+\[[^\]]*\]\+?=/,
] as const;

/** Both are required: a loop or a test that only compares with a quoted pattern evaluates nothing. */
export const evaluatesQuotedCode = (text: string): boolean =>
  holdsSubstitution(text) && evaluates.some((construct) => construct.test(text));

function holdsSubstitution(text: string): boolean {
  if (escapedSubstitution.test(text)) return true;
  if (!betweenQuotes.test(text)) return false;
  const quoted = singleQuoted(text);
  return quoted === undefined || quoted.some((part) => substitution.test(part));
}

/** Constructs with separate rules for pairing quotes. */
const ownRules = /\bcase\b|<<|\$'|`|\$\{[^}]*['"]/;

/** The texts in single quotes; undefined when the quotes cannot be paired reliably. */
function singleQuoted(text: string): string[] | undefined {
  if (ownRules.test(text)) return undefined;
  const found: string[] = [];
  const open: string[] = [];
  let escaped = -1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    const inDouble = open.at(-1) === '"';
    if (char === "\\") escaped = at += 1;
    else if (char === '"') {
      if (inDouble) open.pop();
      else open.push('"');
    } else if (char === "$" && text[at + 1] === "(") {
      open.push("(");
      at += 1;
    } else if (inDouble) continue;
    else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return undefined;
      found.push(text.slice(at + 1, end));
      at = end;
    } else if (char === "(") open.push("(");
    else if (char === ")") {
      if (open.pop() !== "(") return undefined;
    } else if (char === "#" && escaped !== at - 1 && /^$|[\s;&|(]/.test(text[at - 1] ?? "")) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    }
  }
  return open.length === 0 ? found : undefined;
}
