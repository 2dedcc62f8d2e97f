// The values that a changed source names: what a branch compares with is what a call has to be tried with. Pure.
import { codeOnly, languageOf } from "../checks/index.ts";
import type { Named } from "./neighbours.ts";

const mostNumbers = 24;
const mostTexts = 24;
const mostFields = 12;
const longestText = 60;

/** Also as `1_000_000`, `1e6` and `0xff`. */
const number = /(?<![\w.$])(?:0x[\da-f]{1,12}|\d(?:_?\d){0,14}(?:\.\d{1,6})?(?:e\d{1,2})?)n?(?![\w.])/gi;
const quoted = /(["'`])((?:(?!\1)[^\\\n]){1,60})\1/g;
/** Fields that are read, or taken out of an argument. */
const field = /(?<=[\w)\]]\??\.)[a-z_$][\w$]{0,40}\b(?!\s*\()|(?<=[{,]\s*)[a-z_$][\w$]{0,40}(?=\s*(?:=[^=>]|[,}]))/gi;
/** Keys of an object, which may be a table. */
const key = /(?<=[{,]\s*)[a-z_$][\w$]{0,40}(?=\s*:)/gi;
const loads = /^\s*(?:import|export)\b.*\bfrom\b|^\s*import\b|\brequire\(/;

interface Sources {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** Those that only one of the two trees names come first. */
export function namedIn({ path, before, after }: Sources): Named {
  const [old, now] = [valuesIn(path, before ?? ""), valuesIn(path, after)];
  const order = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] => [...a.symmetricDifference(b), ...a.intersection(b)];
  return {
    numbers: order(old.numbers, now.numbers).slice(0, mostNumbers),
    texts: order(old.texts, now.texts).slice(0, mostTexts),
    fields: order(old.fields, now.fields).slice(0, mostFields),
  };
}

interface Values {
  readonly numbers: Set<number>;
  readonly texts: Set<string>;
  readonly fields: Set<string>;
}

function valuesIn(path: string, text: string): Values {
  const language = languageOf(path);
  const lines = text.split("\n").filter((line) => !loads.test(line));
  const code = language === null ? "" : codeOnly(lines.join("\n"), language);
  return {
    fields: new Set([...code.matchAll(field)].map(([found]) => found)),
    numbers: new Set([...code.matchAll(number)].map(([found]) => Number(found.replaceAll(/_|n$/g, "")))),
    texts: new Set([
      ...lines.flatMap((line) => [...line.matchAll(quoted)].map((match) => match[2] ?? "")).filter(isWord),
      ...[...code.matchAll(key)].map(([found]) => found),
    ]),
  };
}

const isWord = (text: string): boolean => text.length <= longestText && !text.includes("${");
