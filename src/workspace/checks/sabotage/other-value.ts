// A function that gives another value of the same kind: a number one more, a text one character longer. A test that only looks
// whether there is a result, or at its kind, does not notice. A result that has no such other value ends in an error.
import type { Insertion } from "./break.ts";
import type { FoundFunction } from "./functions.ts";
import type { Language } from "./language.ts";

const script = (parameter: string): string =>
  `(function other(${parameter}, inner = false) { const of = (one) => (one === undefined || one === null ? "0" : other(one, true)); ` +
  `if (typeof v === "number") return v === v ? v + 1 : 0; if (typeof v === "string") return v + "0"; if (typeof v === "boolean") return !v; ` +
  `if (typeof v === "bigint") return v + BigInt(1); if (v instanceof Promise) return v.then((one) => other(one)); ` +
  `if (Array.isArray(v)) return v.length === 0 ? ["0"] : v.map(of); if (v instanceof Date) return new Date(Number(v) + 86400000); ` +
  `const above = v && typeof v === "object" ? Object.getPrototypeOf(v) : 0; ` +
  `if (above === Object.prototype || above === null) return Object.keys(v).length === 0 ? { x: "0" } : Object.fromEntries(Object.entries(v).map(([name, one]) => [name, of(one)])); ` +
  `if (inner) return v; throw new Error(); })`;

const python =
  `(lambda o, v: (not v) if v is True or v is False else v + 1 if type(v) in (int, float) else v + "0" if type(v) is str ` +
  `else v + b"0" if type(v) is bytes else [x if x is None else o(o, x) for x in v] or ["0"] if type(v) is list ` +
  `else tuple(x if x is None else o(o, x) for x in v) or ("0",) if type(v) is tuple ` +
  `else {k: x if x is None else o(o, x) for k, x in v.items()} or {"0": "0"} if type(v) is dict else 1 / 0)`;

/** Whether every bracket that the text opens is closed in it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text.replaceAll(/(["'`])(?:\\.|(?!\1).)*\1/g, "")) {
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Null where the text shows no value that it gives, or gives it step by step. */
export function otherValue(text: string, found: FoundFunction, language: Language, path: string): Insertion[] | null {
  const [start, end] = found.body;
  const body = text.slice(start, end);
  if (/\byield\b/.test(body)) return null;
  if (language === "python") return inPython(text, found, body);
  if (language !== "js") return null;
  const typed = /\.[cm]?tsx?$/.test(path);
  const other = typed ? `(${script("v: any")} as (v: any) => never)` : script("v");
  if (found.shape === "expression") {
    const given = /^(.*?)[;\s]*$/s.exec(body)?.[1] ?? "";
    if (given.trim() === "" || !isBalanced(given) || given.includes("//") || given.endsWith(",")) return null;
    return [
      { at: start, text: `${other}(` },
      { at: start + given.length, text: ")" },
    ];
  }
  if (!/\breturn\b\s*[^\s;]/.test(body)) return null;
  const head = /\bawait\b/.test(body) ? "async () =>" : "() =>";
  return [
    { at: start, text: ` return ${other}((${head} {` },
    { at: end, text: "})());" },
  ];
}

function inPython(text: string, { head }: FoundFunction, body: string): Insertion[] | null {
  const from = text.lastIndexOf("\n", head) + 1;
  const line = text.slice(from, text.indexOf("\n", from) < 0 ? undefined : text.indexOf("\n", from));
  const indent = /^[ \t]*(?=def\b)/.exec(line)?.[0];
  if (indent === undefined || !/\breturn\b[ \t]+[^\s#]/.test(body)) return null;
  const wraps = `__import__("functools").wraps(f)(lambda *a, **k: ${python}`;
  return [{ at: from, text: `${indent}@(lambda f: ${wraps}(${python}, f(*a, **k))))\n` }];
}
