// Whether two texts are the same code, written differently: a change of format changes no behaviour, so no check has to
// notice it. Unsure means different. Pure.
import { languageOf, tokensOf, type Language } from "./language.ts";

/** Words after which JavaScript ends a statement at the end of a line. */
const restricted = /^(?:return|throw|break|continue|yield|async|await)$/;
/** A line that begins so goes on with the line before it where no semicolon stands between. */
const goesOn = /^(?:[([/+\-*`,.?:&|=<>%^]|in$|instanceof$)/;

/** JavaScript without what its grammar adds by itself: semicolons at ends of lines, last commas, the kind of quotes. */
function jsForm(text: string): string[] {
  const tokens = tokensOf(text, "js");
  return tokens.flatMap(({ text: token, lineBefore }, at) => {
    const next = tokens[at + 1];
    const before = tokens[at - 1]?.text ?? "";
    const newLine = lineBefore && (restricted.test(before) || /^(?:\+\+|--)$/.test(token)) ? ["\n"] : [];
    const closes = next === undefined || next.text === "}";
    if (token === ";" && (closes || (next.lineBefore && !goesOn.test(next.text)))) return newLine;
    if (token === "," && before !== "," && /^[)\]}]$/.test(next?.text ?? "")) return newLine;
    const quoted = /^(["'])([^"'\\]*)\1$/.exec(token);
    return [...newLine, quoted ? `"${quoted[2]}"` : token];
  });
}

/** Other languages: the code of each line, with its indentation where it counts. */
function lineForm(text: string, language: Language): string[] {
  const lines = new Map<number, string[]>();
  for (const { text: token, line } of tokensOf(text, language)) lines.set(line, [...(lines.get(line) ?? []), token]);
  const all = text.split("\n");
  return [...lines].map(([line, tokens]) => {
    const indent = language === "python" ? (/^[ \t]*/.exec(all[line] ?? "")?.[0] ?? "") : "";
    return `${indent}${tokens.join(" ")}`;
  });
}

export function isSameCode(path: string, before: string, after: string): boolean {
  if (before === after) return true;
  const language = languageOf(path);
  if (language === null || language === "shell") return false;
  const form = (text: string) => (language === "js" ? jsForm(text) : lineForm(text, language)).join("\0");
  return form(before) === form(after);
}
