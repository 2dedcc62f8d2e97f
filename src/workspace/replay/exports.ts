// Finds what a JavaScript or TypeScript module exports and can be recorded, without a parser. An export that is missed is
// left as it is: its calls are not recorded, and it is counted as such. Pure.
import { codeOnly } from "../checks/index.ts";

/** A piece of text that takes the place of another. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface ExportedName {
  readonly exported: string;
  /** The name inside the module. */
  readonly local: string;
  /** A function declaration, which exists before the first statement runs. */
  readonly early: boolean;
}

export interface FoundExports {
  readonly names: readonly ExportedName[];
  /** Takes the exports out of the text; `names` are to be exported again behind it. */
  readonly changes: readonly Change[];
}

const word = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const functionHead = new RegExp(String.raw`^export\s+(?:async\s+)?function\b\s*\*?\s*(${word})`, "gmu");
const constHead = new RegExp(String.raw`^export\s+const\s+(${word})\s*(?::[^=\n]+)?=(?![=>])`, "gmu");
const patternHead = /^export\s+const\s+\{([^{}]*)\}\s*=/gm;
const defaultHead = /^export\s+default\s+/gm;
const listHead = /^export\s*\{([^{}]*)\}(?!\s*from\b)/gm;

/** Text that begins a value which is no function. */
const noFunction =
  /^\s*(?:["'`\d[{]|-\s*\d|new\b(?!\s+(?:Function|Proxy)\b)|class\b|true\b|false\b|null\b|undefined\b|\/(?![/*]))/;

/** The value of a declaration begins at `start`: a second declaration behind a comma would lose its export. */
function declaresMore(code: string, start: number): boolean {
  let depth = 0;
  for (let at = start; at < code.length; at += 1) {
    const char = code[at] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (depth === 0 && char === ",") return true;
    else if (depth === 0 && (char === ";" || (char === "\n" && /^\n(?=[^\s.?:|&+*)\]}])/.test(code.slice(at, at + 2)))))
      return false;
  }
  return false;
}

const unexport = (code: string, index: number): Change => {
  const { length } = /^export\s+/.exec(code.slice(index))?.[0] ?? "";
  return { from: index, to: index + length, text: "" };
};

export function exportsOf(text: string): FoundExports {
  const code = codeOnly(text, "js");
  const names: ExportedName[] = [];
  const changes: Change[] = [];
  for (const { 1: name = "", index } of code.matchAll(functionHead)) {
    changes.push(unexport(code, index));
    if (!names.some(({ local }) => local === name)) names.push({ exported: name, local: name, early: true });
  }
  for (const { 0: head, 1: name = "", index } of code.matchAll(constHead)) {
    const start = index + head.length;
    if (noFunction.test(text.slice(start, start + 80)) || declaresMore(code, start)) continue;
    changes.push(unexport(code, index));
    names.push({ exported: name, local: name, early: false });
  }
  for (const { 1: inner = "", index } of code.matchAll(patternHead)) {
    const locals = inner
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    if (!locals.every((part) => new RegExp(`^(?:${word}\\s*:\\s*)?${word}$`, "u").test(part))) continue;
    changes.push(unexport(code, index));
    for (const part of locals) {
      const local = part.split(":").at(-1)?.trim() ?? part;
      names.push({ exported: local, local, early: false });
    }
  }
  const lists = [...defaults(text, code), ...listed(code)];
  return {
    names: [...names, ...lists.flatMap((one) => one.names)],
    changes: [...changes, ...lists.flatMap((one) => one.changes)],
  };
}

function defaults(text: string, code: string): FoundExports[] {
  return [...code.matchAll(defaultHead)].flatMap(({ 0: head, index }): FoundExports[] => {
    const start = index + head.length;
    const rest = code.slice(start, start + 200);
    // An object may hold functions.
    const isValue = !/^(?:\{|new\b)/.test(rest) && noFunction.test(text.slice(start, start + 80));
    if (isValue || /^(?:abstract|class|interface|enum|type)\b/.test(rest)) return [];
    const named = new RegExp(`^(?:async\\s+)?function\\b\\s*\\*?\\s*(${word})`, "u").exec(rest)?.[1];
    const local = named ?? "whatIsTheDefault$";
    return [
      {
        names: [{ exported: "default", local, early: named !== undefined }],
        changes: [{ from: index, to: start, text: named === undefined ? `const ${local} = ` : "" }],
      },
    ];
  });
}

function listed(code: string): FoundExports[] {
  return [...code.matchAll(listHead)].flatMap(({ 0: whole, 1: inner = "", index }): FoundExports[] => {
    const parts = inner
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    const taken = parts.flatMap((part): { part: string; name: ExportedName }[] => {
      const found = new RegExp(`^(${word})(?:\\s+as\\s+(${word}))?$`, "u").exec(part);
      const local = found?.[1];
      if (local === undefined || local === "type") return [];
      const escaped = local.replaceAll("$", "\\$");
      if (new RegExp(`\\b(?:let|var|class|enum|interface|type|namespace)\\s+${escaped}(?![\\w$])`).test(code))
        return [];
      const early = new RegExp(`^(?:async\\s+)?function\\b\\s*\\*?\\s*${escaped}(?![\\w$])`, "m").test(code);
      return [{ part, name: { exported: found?.[2] ?? local, local, early } }];
    });
    const rest = parts.filter((part) => !taken.some((one) => one.part === part));
    if (taken.length === 0) return [];
    const change = { from: index, to: index + whole.length, text: `export { ${rest.join(", ")} }` };
    return [{ names: taken.map(({ name }) => name), changes: [change] }];
  });
}

const classHead = new RegExp(String.raw`^export\s+(default\s+)?(?:abstract\s+)?class\s+(?!extends\b)(${word})`, "gmu");
const classLine = new RegExp(String.raw`^(?:abstract\s+)?class\s+(${word})`, "gmu");

/** The classes that a module exports by a name of their own. */
export function classesOf(text: string): readonly Omit<ExportedName, "early">[] {
  const code = codeOnly(text, "js");
  const heads = [...code.matchAll(classHead)].map(({ 1: first, 2: local = "" }) => ({
    exported: first === undefined ? local : "default",
    local,
  }));
  const inside = new Set([...code.matchAll(classLine)].map(({ 1: local = "" }) => local));
  const lists = [...code.matchAll(listHead)].flatMap(({ 1: inner = "" }) =>
    inner.split(",").flatMap((part) => {
      const [, local = "", exported = local] =
        new RegExp(`^\\s*(${word})(?:\\s+as\\s+(${word}))?\\s*$`, "u").exec(part) ?? [];
      return inside.has(local) ? [{ exported, local }] : [];
    }),
  );
  const all = [...heads, ...lists];
  return all.filter(({ local }, at) => all.findIndex((one) => one.local === local) === at);
}

const letHead = new RegExp(String.raw`^export\s+(?:let|var)\s+(${word})\s*(?::[^=\n]+)?=(?![=>])`, "gmu");

/** Variables that are exported with a value: what they hold at the end of the module may be a function. */
export function variablesOf(text: string): readonly Omit<ExportedName, "early">[] {
  const code = codeOnly(text, "js");
  return [...code.matchAll(letHead)].flatMap(({ 0: head, 1: local = "", index }) =>
    noFunction.test(text.slice(index + head.length, index + head.length + 80)) ? [] : [{ exported: local, local }],
  );
}

/** A value that is written down as such is the same everywhere. */
const literalOnly = /^\s*(?:-?[\d._]+|true|false|null|undefined|"[^"\\\n]*"|'[^'\\\n]*'|`[^`$\\\n]*`)\s*(?:;|\n|$)/;

/** Constants that are no functions: objects or lists, which may hold functions, objects of classes that nobody can reach, and
 * values that are made of others. */
export const valuesOf = (text: string): readonly string[] =>
  [...codeOnly(text, "js").matchAll(constHead)].flatMap(({ 0: head, 1: name = "", index }) => {
    const value = text.slice(index + head.length, index + head.length + 80);
    return noFunction.test(value) && !/^\s*class\b/.test(value) && !literalOnly.test(value) ? [name] : [];
  });
