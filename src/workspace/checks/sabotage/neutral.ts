// Changes that mean nothing, for the comparison with those that make values wrong. Code can read its own text, the one of a
// file or the one of a function: a check that fails with them notices that a text was touched, and nothing about values. Pure.
import { change, type Insertion } from "./break.ts";
import { type FoundFunction, functionsIn } from "./functions.ts";
import { type Language, languageOf } from "./language.ts";
import type { ChangedFile, Sabotage } from "./plan.ts";

const mostFiles = 40;
const longest = 200_000;
const statements: Readonly<Record<Exclude<Language, "shell">, string>> = {
  js: " void 0; ",
  python: "pass\n",
  go: " _ = 0; ",
  rust: " let _ = 0; ",
};

export function neutral(files: readonly ChangedFile[]): Sabotage[] {
  const isKnown = ({ path, after }: ChangedFile) =>
    ![null, "shell"].includes(languageOf(path)) && after.length <= longest;
  const known = files.filter(isKnown).slice(0, mostFiles);
  const [first] = known;
  if (!first) return [];
  const where = `in each function of ${first.path}${known.length > 1 ? ` and ${known.length - 1} more` : ""}`;
  const make = (what: string, added: typeof commented): Sabotage => {
    const old = known.flatMap(({ path, before }) => (before === null ? [] : [{ path, text: added(path, before) }]));
    return {
      what: `${what} ${where}`,
      edits: known.map(({ path, after }) => ({ path, text: added(path, after) })),
      onBase: old.length > 0 ? old : null,
      reach: false,
      neutral: true,
    };
  };
  return [make("a comment", commented), { ...make("a statement that does nothing", idle), value: true }];
}

const inEach = (path: string, text: string, put: (one: FoundFunction, language: Language) => Insertion[]): string => {
  const language = languageOf(path);
  return language === null
    ? text
    : change(
        text,
        functionsIn(text, language).flatMap((one) => put(one, language)),
      );
};

/** A comment in each function, and one at the end. */
function commented(path: string, text: string): string {
  const isPython = languageOf(path) === "python";
  const made = inEach(path, text, ({ body: [at], shape, indent }) => {
    if (!isPython) return [{ at, text: " /* in */ " }];
    return shape === "block" ? [{ at, text: `${indent}# in\n` }] : [];
  });
  return `${made.endsWith("\n") ? made : `${made}\n`}${isPython ? "# end" : "// end"}\n`;
}

/** A text that begins a function is its documentation, or a directive: it stays the first. */
const beginsWithText = /^\s*[rRbBuU]?["'`]/;

const idle = (path: string, text: string): string =>
  inEach(path, text, ({ body: [at], shape, indent }, language) => {
    if (language === "shell" || beginsWithText.test(text.slice(at, at + 200))) return [];
    if (shape === "block")
      return [{ at, text: language === "python" ? indent + statements.python : statements[language] }];
    return language === "js" ? [{ at, text: "false ? undefined : " }] : [];
  });
