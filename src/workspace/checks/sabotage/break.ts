// Breaks code on purpose: a function that does nothing any more, or a condition, an operator, a constant turned round.
import type { FoundFunction } from "./functions.ts";
import { codeOnly, type Language } from "./language.ts";

export interface Insertion {
  readonly at: number;
  readonly until?: number;
  readonly text: string;
}

export function change(text: string, insertions: readonly Insertion[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { at, until, text: added } of insertions.toSorted((a, b) => a.at - b.at)) {
    parts.push(text.slice(done, Math.max(done, at)), added);
    done = Math.max(done, until ?? at);
  }
  return parts.join("") + text.slice(done);
}

/** The function gives nothing back; where the language does not allow that, its operators are turned round, or it stops. */
export function emptied(text: string, found: FoundFunction, language: Language, path = ""): Insertion[] {
  const [start, end] = found.body;
  // Before an expression only a condition binds weaker than everything in it. A type checker accepts `never` as any result.
  const none = /\.[cm]?tsx?$/.test(path) ? "(undefined as never)" : "undefined";
  if (language === "js")
    return [{ at: start, text: found.shape === "block" ? ` return ${none};` : `true ? ${none} : ` }];
  if (language === "python")
    return found.shape === "block"
      ? [{ at: start, text: `${found.indent}return None\n` }]
      : [{ at: start, until: end, text: " return None" }];
  // One operator: several turned at once can make up for each other.
  const flips = flipsIn(text, language, start, end).slice(0, 1);
  return flips.length > 0 ? flips : stopped(found, language);
}

/** The function stops the program when it is called. */
export function stopped({ body: [start, end], shape, indent }: FoundFunction, language: Language): Insertion[] {
  if (language === "js")
    return [
      { at: start, text: shape === "block" ? " throw new Error();" : "true ? (() => { throw new Error(); })() : " },
    ];
  if (language === "python")
    return shape === "block"
      ? [{ at: start, text: `${indent}raise RuntimeError\n` }]
      : [{ at: start, until: end, text: " raise RuntimeError" }];
  return [{ at: start, text: language === "go" ? ' panic("x");' : " if true { panic!(); }" }];
}

const operators: readonly (readonly [RegExp, string])[] = [
  [/(?<= )===(?= )/g, "!=="],
  [/(?<= )!==(?= )/g, "==="],
  [/(?<=[ \w)])==(?=[ \w(-])/g, "!="],
  [/(?<=[ \w)])!=(?=[ \w(-])/g, "=="],
  [/(?<= )<=(?= )/g, ">"],
  [/(?<= )>=(?= )/g, "<"],
  [/(?<= )<(?= )/g, ">="],
  [/(?<= )>(?= )/g, "<="],
  [/(?<= )&&(?= )/g, "||"],
  [/(?<= )\|\|(?= )/g, "&&"],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/\bTrue\b/g, "False"],
  [/\bFalse\b/g, "True"],
  [/(?<= )\+(?= )/g, "-"],
  [/(?<= )-(?= )/g, "+"],
  [/(?<=[\w)] )\*(?= )/g, "+"],
  [/(?<= )\/(?= )/g, "*"],
];
const pythonOperators: readonly (readonly [RegExp, string])[] = [
  [/(?<= )and(?= )/g, "or"],
  [/(?<= )or(?= )/g, "and"],
];
const shellOperators: readonly (readonly [RegExp, string])[] = [
  [/(?<= )-eq(?= )/g, "-ne"],
  [/(?<= )-ne(?= )/g, "-eq"],
  [/(?<= )=(?= )/g, "!="],
];

/** Each operator and condition in a part of the text, turned round. */
export function flipsIn(text: string, language: Language, start: number, end: number): Insertion[] {
  const code = codeOnly(text, language);
  const table =
    language === "shell" ? shellOperators : language === "python" ? [...operators, ...pythonOperators] : operators;
  return within(code, table, start, end);
}

function within(code: string, table: readonly (readonly [RegExp, string])[], start: number, end: number): Insertion[] {
  // A pattern matches the characters around it, so a few of them are kept on both sides.
  const from = Math.max(0, start - 4);
  const part = code.slice(from, end + 4);
  return table
    .flatMap(([pattern, text]) =>
      [...part.matchAll(pattern)].map((match) => ({
        at: from + match.index,
        until: from + match.index + match[0].length,
        text,
      })),
    )
    .filter(({ at }) => at >= start && at < end)
    .toSorted((a, b) => a.at - b.at);
}

/** Each number in a part of the text, made another one. */
export function constantsIn(text: string, language: Language | null, start: number, end: number): Insertion[] {
  const code = language === null ? text : codeOnly(text, language);
  // The characters around a number decide whether it is one.
  const from = Math.max(0, start - 1);
  return [...code.slice(from, end + 1).matchAll(/(?<![\w.$])\d{1,9}(?![\w.])/g)]
    .filter(({ index }) => from + index >= start && from + index < end)
    .map((match) => ({
      at: from + match.index,
      until: from + match.index + match[0].length,
      text: String(Number(match[0]) + 1),
    }));
}

/** Each short text in quotes in a part of the text, made another one. Paths and names of modules are left alone. */
export function textsIn(text: string, start: number, end: number): Insertion[] {
  const quoted = /(?<![\w"'])(["'])([^"'\\\n/@]{1,80})\1/g;
  return [...text.slice(start, end).matchAll(quoted)].map((match) => {
    const at = start + match.index + match[0].length - 1;
    return { at, until: at, text: "0" };
  });
}
