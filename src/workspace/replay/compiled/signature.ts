// Functions of Go and Rust whose calls can be written down: public ones with plain types. Pure.
import { codeOnly, languageOf } from "../../checks/index.ts";

export interface Signature {
  readonly file: string;
  readonly name: string;
  /** Where the name stands in its declaration. */
  readonly at: number;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly results: readonly string[];
  /** The parameters and results as they are written. */
  readonly written: string;
}

const goScalar = /^(?:bool|string|u?int(?:8|16|32|64)?|float(?:32|64)|byte|rune)$/;
const isGoType = (type: string): boolean => goScalar.test(type.replace(/^(?:\[\]|map\[string\])/, ""));
const rustScalar = /^(?:bool|char|[iu](?:8|16|32|64|size)|f(?:32|64))$/;

/** Arguments that can be written as a literal. */
const isRustArgument = (type: string): boolean => {
  const inner = /^(?:Vec<(.+)>|&\[(.+)\]|Option<(.+)>)$/.exec(type);
  return (
    rustScalar.test(type) || /^(?:String|&str)$/.test(type) || rustScalar.test(inner?.slice(1).find(Boolean) ?? "")
  );
};
/** Results that can be printed. */
const isRustResult = (type: string): boolean =>
  (type.match(/\w+/g) ?? []).every(
    (word) => rustScalar.test(word) || /^(?:String|str|Vec|Option|Result|static)$/.test(word),
  );

const goHead = /^func\s+([A-Z]\w*)\s*(\(([^()]*)\)\s*(\([^()]*\)\s*|[^\n({]*))\{/gm;
const rustHead = /^pub\s+fn\s+(\w+)\s*(\(([^()]*)\)\s*(?:->\s*([^{;]+?))?)\s*\{/gm;

/** `a, b int, s string`: a name without a type has that of the next one. Null where there is something else. */
function goParameters(text: string): { name: string; type: string }[] | null {
  const parts = text.split(",").map((part) => part.trim());
  if (text.trim() === "") return [];
  const found: { name: string; type: string }[] = [];
  let type = "";
  for (const part of parts.toReversed()) {
    const [name = "", ...rest] = part.split(/\s+/);
    type = rest.length > 0 ? rest.join(" ") : type;
    if (!/^[A-Za-z]\w*$/.test(name) || !isGoType(type)) return null;
    found.unshift({ name, type });
  }
  return found;
}

/** Types of results, also where they have names. */
function goResults(text: string): string[] | null {
  const inner = text
    .trim()
    .replace(/^\(|\)$/g, "")
    .trim();
  if (inner === "") return null;
  const types = inner.split(",").map((part) => part.trim().split(/\s+/).at(-1) ?? "");
  return types.every((type) => isGoType(type) || type === "error") ? types : null;
}

function rustParameters(text: string): { name: string; type: string }[] | null {
  const parts = text.split(/,(?![^<]*>)/).map((part) => part.trim());
  const found = parts.filter((part) => part !== "").map((part) => /^(?:mut\s+)?([a-z]\w*)\s*:\s*(.+)$/.exec(part));
  if (found.some((match) => !match || !isRustArgument(match[2] ?? ""))) return null;
  return found.map((match) => ({ name: match?.[1] ?? "", type: match?.[2] ?? "" }));
}

/** The functions of one file; a function with another type of parameter or result is left out. */
export function signaturesIn(file: string, text: string): Signature[] {
  const language = languageOf(file);
  if (language === "go")
    return [...codeOnly(text, "go").matchAll(goHead)].flatMap((match) => {
      const [, name = "", written = "", taken = "", given = ""] = match;
      const [parameters, results] = [goParameters(taken), goResults(given)];
      if (!parameters || !results) return [];
      return [{ file, name, at: match.index + match[0].indexOf(name, 5), parameters, results, written }];
    });
  if (language !== "rust") return [];
  return [...codeOnly(text, "rust").matchAll(rustHead)].flatMap((match) => {
    const [, name = "", written = "", taken = "", given = ""] = match;
    const parameters = rustParameters(taken);
    if (!parameters || given.trim() === "" || !isRustResult(given)) return [];
    const at = match.index + match[0].indexOf(name, match[0].indexOf("fn") + 2);
    return [{ file, name, at, parameters, results: [given.trim()], written }];
  });
}
