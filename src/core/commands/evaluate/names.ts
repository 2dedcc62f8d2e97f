// File names that one command of a pipeline passes to the next: `git ls-files | grep env | xargs cat`. Also the functions and
// variables that a line defines.
import type { Span } from "../../contract/index.ts";
import { type Tree, descend } from "./tree.ts";
import type { Feed, ListedNames } from "../call.ts";
import { isNarrowSearch } from "../find-scope.ts";
import { isLiteral, soughtBy } from "../lexer/pattern.ts";

const has = (args: readonly string[], option: RegExp) => args.some((arg) => option.test(arg));
const searches = /^([ef]?grep|ggrep|rg)$/;

const isAway = (path: string) => /^(\/|~)|(^|\/)\.\.(\/|$)/.test(path);
/** Options that make a lister print more than names. */
const printsMore =
  /^-(f?printf?0?|exec|execdir|ok|okdir|x|X)$|^--(format|exec\S*|no-index|search-path|base-directory|label|line-prefix|path-separator|files0-from)/;

/** The folders that are searched; undefined when the program does not list names. */
function foldersOf(name: string, args: readonly string[]): readonly string[] | undefined {
  if (has(args, printsMore) && !has(args, /^-print0?$/)) return undefined;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  if (/^(find|gfind|bfs)$/.test(name)) {
    // Files that make git run programs.
    if (has(args, /^(config|HEAD|(pre|post)-.*|commit-msg.*)$/)) return undefined;
    const operandsAndTests = args.filter((arg) => !/^-([HLP]|O\d)$/.test(arg));
    const end = operandsAndTests.findIndex((arg) => /^[-(!]/.test(arg));
    return end < 0 ? operandsAndTests : operandsAndTests.slice(0, end);
  }
  if (name === "ls") return operands.some(isAway) ? undefined : [];
  // The pattern may be joined to its option; then the first operand is already a folder.
  const folders = [...operands.slice(1), ...operands.slice(0, 1).filter(isAway)];
  if (/^(fd|fdfind)$/.test(name)) return folders;
  if (searches.test(name) && has(args, /^-\w*[lL]|^--files(-with(out)?-match(es)?)?$/))
    return has(args, /^--files$/) ? operands : folders;
  return name === "git" && listsByGit(args) ? [] : undefined;
}

function listsByGit([verb, ...rest]: readonly string[]): boolean {
  if (verb === "grep") return has(rest, /^-\w*l/);
  return (
    verb === "ls-files" || (/^(diff|diff-tree|diff-index|ls-tree)$/.test(verb ?? "") && has(rest, /^--name-only$/))
  );
}

/** Files whose names begin with a dot are among the names. */
const showsHidden = (name: string, args: readonly string[]) =>
  /^(find|gfind|bfs|git)$/.test(name) || has(args, /^-\w*[aAHu]|^--(almost-)?all$|^--(hidden|unrestricted)$/);

function isNarrowList(name: string, args: readonly string[], folders: readonly string[]): boolean {
  if (/^(find|gfind|bfs)$/.test(name)) return isNarrowSearch(args);
  if (searches.test(name) && name !== "rg")
    return folders.length > 0 && !folders.some((folder) => /^[./]*$/.test(folder));
  return name === "git" || !showsHidden(name, args);
}

const underFolder = (folder: string) => (folder.endsWith("/") ? folder : `${folder}/`);

export function listedNames(name: string, args: readonly string[], input: Feed): ListedNames | undefined {
  const folders = foldersOf(name, args);
  if (folders?.every(isLiteral))
    return {
      under: folders.length === 0 ? ["./"] : folders.map(underFolder),
      narrow: isNarrowList(name, args, folders),
      ...(showsHidden(name, args) ? {} : { onlyPlain: true as const }),
    };
  const names = input.kind === "unknown" ? input.names : undefined;
  if (!names) return undefined;
  const operands = args.filter((arg) => !/^-|^\+?\d+$/.test(arg));
  // Options that make a filter show the content of files.
  if (has(args, /^-\w*[rRefT]|^--(?!(invert-match|ignore-case|extended-regexp|fixed-strings|color|reverse|unique)\b)/))
    return undefined;
  if (searches.test(name) && operands.length === 1) {
    const excludes = has(args, /^-\w*v|^--invert-match$/) || names.onlyPlain;
    const sought = excludes ? undefined : soughtBy(operands[0] ?? "");
    return { ...names, ...(sought === undefined ? {} : { sought }) };
  }
  return /^(head|tail|sort|uniq|cat)$/.test(name) && operands.length === 0 ? names : undefined;
}

export function functionName(node: Tree, text: string): string {
  const word = node.children.find((child) => child.type === "word");
  return word ? text.slice(word.start, word.end) : "";
}

/** Functions that a top-level statement of the line defines unconditionally, with the end of the definition. Any other
 * function name may be a program. */
export function sureFunctions(root: Tree, text: string): Map<string, number> {
  const sure = new Map<string, number>();
  if (/\bunset\b/.test(text)) return sure;
  for (const node of root.children)
    if (node.type === "function_definition") sure.set(functionName(node, text), node.end);
  return sure;
}

const calls = (body: Tree) => [...descend(body)].filter((child) => child.type === "command_name");

export function isForkBomb(name: string, body: Tree, text: string): boolean {
  const recursive = calls(body).some((call) => text.slice(call.start, call.end) === name);
  return recursive && [...descend(body)].some((child) => child.type === "pipeline" || child.type === "&");
}

export const callsItsArguments = (body: Tree, text: string) =>
  calls(body).some((call) => /^"?\$(\{?[@*1])/.test(text.slice(call.start, call.end)));

interface SetVariable {
  readonly name: string;
  readonly span: Span;
}

const filledByDefault = /^\s*\$\{([A-Za-z_]\w*)(?:\[[^\]]*\])?:?=/;
const assignedInArithmetic = /([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;
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
