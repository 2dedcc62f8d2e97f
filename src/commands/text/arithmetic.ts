// Arithmetic of the shell evaluates the values of variables and subscripts as text: `x='a[$(…)]'; (( x ))` runs what the
// quotes seem to protect.

/** Quoted or escaped text in which a substitution stands. */
const quotedSubstitution =
  /'[^']*(?:\$\(|`|\$\{)[^']*'|\\\$\(|\\\\?`|\$'[^']*\\(?:x24|x60|0?44|140|u0024|u0060|U00000024|U00000060)[^']*'/;

/** Places where the shell evaluates a value or a subscript. */
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

/** A loop or a test that only compares with a quoted pattern evaluates nothing, so both must stand in the text. */
export const evaluatesQuotedCode = (text: string): boolean =>
  quotedSubstitution.test(text) && evaluates.some((place) => place.test(text));
