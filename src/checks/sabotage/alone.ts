// A test file in which only the last test is left. What passes in the company of other tests has to pass alone, as it does
// on the base commit: values that answer one comparison after the other do not.
import { codeOnly, languageOf, type Language } from "./language.ts";

interface Form {
  /** Finds the word that begins a test. */
  readonly begins: RegExp;
  /** The word that takes its place, so that nobody runs it. */
  readonly instead: (found: string) => string;
}

const forms: Readonly<Partial<Record<Language, Form>>> = {
  js: { begins: /(?<=^[ \t]*)(?:test|it)(?=\()/gm, instead: (word) => `${word}.skip` },
  python: { begins: /(?<=^[ \t]*(?:async[ \t]+)?def[ \t]+)test(?=\w*\()/gm, instead: () => "left_out_test" },
  go: { begins: /(?<=^func[ \t]+)Test(?=[A-Z_0-9]\w*\()/gm, instead: () => "leftOutTest" },
  rust: { begins: /(?<=^[ \t]*)#\[test\]/gm, instead: () => "#[allow(dead_code)]" },
};

/** The text with all tests but the last left out, or null where there are not two. */
export function lastTestAlone(path: string, text: string): string | null {
  const language = languageOf(path);
  const form = language === null ? undefined : forms[language];
  if (language === null || !form) return null;
  const found = [...codeOnly(text, language).matchAll(form.begins)].slice(0, -1);
  if (found.length === 0) return null;
  return found.toReversed().reduce((made, { index, 0: word }) => {
    return made.slice(0, index) + form.instead(word) + made.slice(index + word.length);
  }, text);
}
