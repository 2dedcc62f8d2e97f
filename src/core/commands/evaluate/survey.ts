// Collects the ranges of substitutions and the variables of the whole line before the walk.
import { Disagreement, type Nested, type SimpleCommand, type Word, readWords } from "../lexer/lexer.ts";
import { type Tree, descend } from "./tree.ts";

const nestedTypes = new Set(["command_substitution", "process_substitution", "arithmetic_expansion", "expansion"]);

/** The grammar includes the blanks before some expansions in their range; the lexer does not. */
export function nestedRanges(root: Tree, text: string): Nested {
  const ranges = new Map<number, number>();
  for (const node of descend(root)) {
    if (!nestedTypes.has(node.type)) continue;
    const lead = /^\s*/.exec(text.slice(node.start, node.end))?.[0].length ?? 0;
    ranges.set(node.start + lead, node.end);
  }
  return ranges;
}

/** Every value that the line assigns to each name, independent of the order of execution. */
export function collectVariables(
  root: Tree,
  text: string,
  nested: Nested,
  lex: (node: Tree) => SimpleCommand | undefined,
): Map<string, Word[]> {
  const variables = new Map<string, Word[]>();
  const add = (name: string, words: readonly Word[]) => variables.set(name, [...(variables.get(name) ?? []), ...words]);
  for (const node of descend(root)) {
    if (node.type === "variable_assignment") {
      const command = lex(node);
      for (const { name, values } of command?.assignments ?? []) add(name, values);
    } else if (node.type === "for_statement") forLoop(node, text, nested, add);
    else if (node.type === "command") filledIn(node, text, add);
  }
  return variables;
}

const fillers = new Set(["read", "mapfile", "readarray", "getopts", "printf", "let", "unset", "eval", "wait"]);
const notKnown: Word = { pieces: [{ kind: "output", source: "", quoted: true }], span: { start: 0, end: 0 } };

/** `read x` sets x to a value that is not in the line. */
function filledIn(node: Tree, text: string, add: (name: string, words: readonly Word[]) => void): void {
  const [name, ...words] = node.children.map((child) => text.slice(child.start, child.end));
  if (name === undefined || !fillers.has(name)) return;
  for (const word of words) {
    // `eval "x=…"` too.
    const set = /^["']?([A-Za-z_]\w*)(=|["']?$)/.exec(word)?.[1];
    if (set !== undefined) add(set, [notKnown]);
  }
}

function forLoop(node: Tree, text: string, nested: Nested, add: (name: string, words: readonly Word[]) => void): void {
  const name = node.children.find((child) => child.type === "variable_name");
  const from = node.children.findIndex((child) => child.type === "in");
  const body = node.children.findIndex(
    (child) => child.type === "do_group" || child.type === ";" || child.type === "\n",
  );
  if (!name || from < 0) return;
  const first = node.children[from + 1];
  const last = node.children[(body < 0 ? node.children.length : body) - 1];
  if (!first || !last || last.end <= first.start) return;
  try {
    add(text.slice(name.start, name.end), readWords(text, first.start, last.end, nested));
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    // The walk reads the same words again and reports the disagreement.
  }
}
