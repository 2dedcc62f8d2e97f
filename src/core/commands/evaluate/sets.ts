// Variables that a line sets by other means than an assignment: loops, `${x:=…}`, arithmetic and builtins that fill a name.
import type { Span } from "../../contract/index.ts";
import { type Tree, descend } from "./tree.ts";

interface SetVariable {
  readonly name: string;
  readonly span: Span;
}

const filledByDefault = /^\s*\$\{([A-Za-z_]\w*)(?:\[[^\]]*\])?:?=/;
const assignedInArithmetic =
  /([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;
const arithmetic = /\(\(([^]*?)\)\)|\$\[([^\]]*)\]|\blet\s+([^;&|\n]*)/g;
/** `getopts`, and the file descriptor that a redirection puts into a variable. */
const filledByName =
  /\bgetopts\s+(?:'[^']*'|"[^"]*"|\S+)\s+([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}[<>]|\bcoproc\s+([A-Z_]\w*)\s+[{(]/g;

export function* variablesSet(root: Tree, text: string): Generator<SetVariable> {
  for (const node of descend(root)) {
    const own = text.slice(node.start, node.end);
    if (node.type === "for_statement" || node.type === "select_statement") {
      const name = node.children.find((child) => child.type === "variable_name");
      if (name) yield { name: text.slice(name.start, name.end), span: name };
    }
    const filled = node.type === "expansion" ? filledByDefault.exec(own)?.[1] : undefined;
    if (filled !== undefined) yield { name: filled, span: node };
  }
  for (const { 0: whole, 1: double, 2: bracket, 3: let_, index } of text.matchAll(arithmetic))
    for (const { 1: before, 2: after } of (double ?? bracket ?? let_ ?? "").matchAll(assignedInArithmetic))
      yield { name: before ?? after ?? "", span: { start: index, end: index + whole.length } };
  for (const { 0: whole, 1: a, 2: b, 3: c, index } of text.matchAll(filledByName))
    yield { name: a ?? b ?? c ?? "", span: { start: index, end: index + whole.length } };
}
