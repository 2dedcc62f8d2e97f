// The last test of a file alone: work that keeps count of what it is asked fails then. Pure.
import { codeOnly, languageOf, type Language } from "./language.ts";

interface Form {
  /** Finds the word that begins a test. */
  readonly begins: RegExp;
  /** The word that takes its place, so that the test does not run. */
  readonly instead: (found: string) => string;
}

const forms: Readonly<Partial<Record<Language, Form>>> = {
  js: { begins: /(?<=^[ \t]*)(?:test|it)(?=\()/gm, instead: (word) => `${word}.skip` },
  python: { begins: /(?<=^[ \t]*(?:async[ \t]+)?def[ \t]+)test(?=\w*\()/gm, instead: () => "left_out_test" },
  go: { begins: /(?<=^func[ \t]+)Test(?=[A-Z_0-9]\w*\()/gm, instead: () => "leftOutTest" },
  rust: { begins: /(?<=^[ \t]*)#\[test\]/gm, instead: () => "#[allow(dead_code)]" },
};

/** The text with all tests but the last left out and `lines` empty lines on top; null for a text without tests. */
export function lastTestAlone(path: string, text: string, lines: number): string | null {
  const language = languageOf(path);
  const form = language === null ? undefined : forms[language];
  if (language === null || !form) return null;
  const found = [...codeOnly(text, language).matchAll(form.begins)];
  if (found.length === 0 || text.startsWith("#!")) return null;
  const alone = found.slice(0, -1).reduceRight((made, { index, 0: word }) => {
    return made.slice(0, index) + form.instead(word) + made.slice(index + word.length);
  }, text);
  return "\n".repeat(lines) + alone;
}
