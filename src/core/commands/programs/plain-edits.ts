// One-line edits in perl and ruby that only replace or print text: `perl -pi -e 's/a/b/' FILE` does what `sed -i` does.
import type { Arg, CommandCall } from "../call.ts";
import { isLiteral } from "../lexer/pattern.ts";

/** Within a pattern perl fills in variables and can run `(?{ code })`; a dollar at an end is only an anchor. */
const inPattern = String.raw`(?:[^\\$@\n(]|\\[^\n]|\$(?=[|)]|\1)|\((?!(?:\?\??|\*)\{))`;
/** In the replacement only what a group has found may be filled in; behind it an index would be code. */
const inText = String.raw`(?:[^\\$@\n]|\\[^\n]|\$[1-9&](?!\[|\{|->))`;
const replacement = new RegExp(
  String.raw`s([/|#,!~%])(?:(?!\1)${inPattern})*\1(?:(?!\1)${inText})*\1[gimsxr]*\s*(?:;\s*|$)`,
  "y",
);
/** `print if /text/`, `print "$.: $_" if /text/`: what `grep -n` does. */
const printing =
  /^print(?: "(?:[^"\\$@]|\\[nt]|\$[._1-9](?!\[|\{|->))*")? (?:if|unless) (\/)(?:(?!\/)(?:[^\\$@\n(]|\\[^\n]|\$(?=[|)/])|\((?!(?:\?\??|\*)\{)))*\/i?;?$/;

function onlyReplaces(code: string): boolean {
  const text = code.trim();
  let at = 0;
  while (at < text.length) {
    replacement.lastIndex = at;
    const found = replacement.exec(text);
    if (!found) return false;
    at = replacement.lastIndex;
  }
  return at > 0;
}

const touch = (call: CommandCall, files: readonly Arg[], writes: boolean): boolean => {
  // Perl opens `command|` as the output of a command, and `>file` for writing.
  if (files.some(({ text }) => /^-|^\s|\s$|[|<>&]/.test(text) || !isLiteral(text))) return false;
  if (writes && files.some(({ text }) => call.isAway(text))) return false;
  files.forEach((file) => (writes ? call.write(file) : call.read(file)));
  return true;
};

/** The letters before the code, the code and the files: `-0pi -e CODE FILE…`. */
function parts(args: readonly Arg[]): { letters: string; code: Arg; files: readonly Arg[] } | undefined {
  const at = args.findIndex(
    ({ text }) => /^-(0\d*)?[lnp]*(i(\.\w+)?\s?)?e?$/.test(text) && text.endsWith("e"),
  );
  const before = args.slice(0, at + 1).map(({ text }) => text);
  const code = args[at + 1];
  const known = before.every((text) => /^-(0\d*)?[lnp]*(i(\.\w+)?)?e?$/.test(text) && !/i.*e$/.test(text));
  if (at < 0 || !code || !known) return undefined;
  return { letters: before.join(""), code, files: args.slice(at + 2) };
}

export function editsByPerl(call: CommandCall): boolean {
  const found = parts(call.args);
  if (!found || !isLiteral(found.code.text)) return false;
  const { letters, code, files } = found;
  if (letters.includes("n") && printing.test(code.text)) return touch(call, files, letters.includes("i"));
  return letters.includes("p") && onlyReplaces(code.text) && touch(call, files, letters.includes("i"));
}

/** `$_.sub!("old", "new")`: texts without anything to fill in, and patterns likewise. */
const rubyText = String.raw`(?:"[^"\\#\n]*"|'[^'\\\n]*')`;
const rubySub = new RegExp(
  String.raw`^(?:\$_\.)?g?sub!?\(\s*(?:${rubyText}|/(?:[^/\\#\n]|\\[^\n])*/[im]*)\s*,\s*${rubyText}\s*\);?$`,
);

export function editsByRuby(call: CommandCall): boolean {
  const found = parts(call.args);
  if (!found || !isLiteral(found.code.text) || !found.letters.includes("p")) return false;
  return rubySub.test(found.code.text.trim()) && touch(call, found.files, found.letters.includes("i"));
}
