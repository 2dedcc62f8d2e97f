// Puts the recorder into the text of a JavaScript or TypeScript module: what it exports is exported again behind a recorder.
// The text stays in its file, so that whatever loads it (Node, vitest, jest, a compiler) loads the recorder too. Pure.
import { codeOnly } from "../checks/index.ts";
import { classesOf, exportsOf, valuesOf, variablesOf } from "./exports.ts";

export interface RecorderTexts {
  readonly values: string;
  readonly record: string;
  readonly recordClass: string;
  readonly recordInput: string;
  readonly recordResult: string;
}

/** What is recorded beside functions: methods of classes; with all, also callbacks, functions that a call gives, walks, values
 * that come later and what is printed. */
export type Depth = "all" | "classes" | "functions";

interface Recording {
  readonly path: string;
  readonly text: string;
  readonly pipe: string;
  /** A word that no name of the module contains. */
  readonly mark: string;
  readonly depth: Depth;
}

export const isModuleText = (path: string, text: string): boolean =>
  /\.m[jt]s$/.test(path) ||
  (!/\.c[jt]s$/.test(path) && /^[ \t]*(?:import|export)\b(?!\s*\()/m.test(codeOnly(text, "js")));

/** The classes that the module declares, as a list in JavaScript. */
const namesIn = (text: string): string =>
  JSON.stringify([...codeOnly(text, "js").matchAll(/\bclass\s+([\w$]+)/g)].map(([, name]) => name));

/** Null where nothing of it can be recorded. */
export function instrument(
  { path, text, pipe, mark, depth }: Recording,
  { values, record, recordClass, recordInput, recordResult }: RecorderTexts,
): string | null {
  if (/\.d\.[cm]?ts$/.test(path)) return null;
  const parts = [
    ...(depth === "functions" ? [] : [`classes: (${recordClass})`]),
    ...(depth === "all"
      ? [`input: (${recordInput})`, `result: (${recordResult})`, `ownClasses: ${namesIn(text)}`]
      : []),
  ];
  const recorder = `(${record})(fs${mark}, ${JSON.stringify(pipe)}, ${JSON.stringify(path)}, (${values}), { ${parts.join(", ")} });`;
  return isModuleText(path, text) ? inModule(text, mark, recorder, depth) : inScript(text, mark, recorder);
}

/** Behind `#!` and the directives, which have to come first. */
function split(text: string): readonly [head: string, body: string] {
  const head = /^(?:#![^\n]*\n)?(?:\s*["']use \w+["'];?[^\n]*\n)*/.exec(text)?.[0] ?? "";
  return [head, text.slice(head.length)];
}

function inModule(text: string, mark: string, recorder: string, depth: Depth): string | null {
  const { names, changes } = exportsOf(text);
  const found = [...(depth === "functions" ? [] : classesOf(text)), ...(depth === "all" ? variablesOf(text) : [])];
  const values = depth === "all" ? valuesOf(text) : [];
  if (names.length + found.length + values.length === 0) return null;
  const without = changes
    .toSorted((a, b) => b.from - a.from)
    .reduce((made, { from, to, text: put }) => made.slice(0, from) + put + made.slice(to), text);
  const [head, body] = split(without);
  const wrapped = (early: boolean) =>
    names
      .flatMap((one, at) => (one.early === early ? [[one, at] as const] : []))
      .map(([one, at]) => `var r${at}${mark} = w${mark}(${JSON.stringify(one.exported)}, ${one.local});`);
  const again = names.map(({ exported }, at) => `r${at}${mark} as ${exported}`);
  return [
    `${head}// @ts-nocheck`,
    `import * as fs${mark} from "node:fs"; const w${mark} = ${recorder} ${wrapped(true).join(" ")}`,
    body,
    ...wrapped(false),
    // The name of a class or a variable can be given another value, which every importer then sees.
    ...found.map(({ exported, local }) => `${local} = w${mark}(${JSON.stringify(exported)}, ${local});`),
    ...values.map((name) => `w${mark}(${JSON.stringify(name)}, ${name});`),
    `export { ${again.join(", ")} };\n`,
  ].join("\n");
}

function inScript(text: string, mark: string, recorder: string): string | null {
  if (!/\bexports\b/.test(codeOnly(text, "js"))) return null;
  const [head, body] = split(text);
  return `${head}// @ts-nocheck
const fs${mark} = require("node:fs"); const w${mark} = ${recorder}
${body}
{
  const made = module.exports;
  if (typeof made === "object" && made !== null) {
    const all = Object.getOwnPropertyDescriptors(made);
    const shut = Object.keys(all).filter((name) => all[name].get && !all[name].configurable);
    for (const name of Object.keys(all)) if (all[name].writable) made[name] = w${mark}(name, all[name].value);
    if (shut.length > 0) {
      const open = Object.getOwnPropertyDescriptors(made);
      for (const name of shut) {
        const { get } = all[name];
        let last;
        let given;
        open[name].get = () => {
          const value = get.call(made);
          if (value !== last) given = w${mark}(name, (last = value));
          return given;
        };
      }
      module.exports = Object.create(Object.getPrototypeOf(made), open);
    }
  } else module.exports = w${mark}("module.exports", made);
}
`;
}
