// Names of files that one command of a pipeline hands to the next: `git ls-files | grep env | xargs cat`.
import type { Feed, ListedNames } from "../call.ts";
import { isLiteral } from "../lexer/pattern.ts";
import { soughtBy } from "../lexer/sought.ts";

const has = (args: readonly string[], option: RegExp) => args.some((arg) => option.test(arg));
const searches = /^([ef]?grep|ggrep|rg)$/;

const isAway = (path: string) => /^(\/|~)|(^|\/)\.\.(\/|$)/.test(path);
/** Options by which a lister prints something else than names. */
const printsMore =
  /^-(f?printf?0?|exec|execdir|ok|okdir|x|X)$|^--(format|exec\S*|no-index|search-path|base-directory|label|line-prefix|path-separator|files0-from)/;

/** The words that name folders to look in; undefined when the program does not list names. */
function foldersOf(name: string, args: readonly string[]): readonly string[] | undefined {
  if (has(args, printsMore) && !has(args, /^-print0?$/)) return undefined;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  if (/^(find|gfind|bfs)$/.test(name)) {
    // Files by which git is told to run programs.
    if (has(args, /^(config|HEAD|(pre|post)-.*|commit-msg.*)$/)) return undefined;
    const words = args.filter((arg) => !/^-([HLP]|O\d)$/.test(arg));
    const end = words.findIndex((arg) => /^[-(!]/.test(arg));
    return end < 0 ? words : words.slice(0, end);
  }
  if (name === "ls") return operands.some(isAway) ? undefined : [];
  // The pattern may be glued to its option, so that the first word is a folder already.
  const places = [...operands.slice(1), ...operands.slice(0, 1).filter(isAway)];
  if (/^(fd|fdfind)$/.test(name)) return places;
  if (searches.test(name) && has(args, /^-\w*[lL]|^--files(-with(out)?-match(es)?)?$/))
    return has(args, /^--files$/) ? operands : places;
  return name === "git" && listsByGit(args) ? [] : undefined;
}

function listsByGit([verb, ...rest]: readonly string[]): boolean {
  if (verb === "grep") return has(rest, /^-\w*l/);
  return (
    verb === "ls-files" ||
    (/^(diff|diff-tree|diff-index|ls-tree)$/.test(verb ?? "") && has(rest, /^--name-only$/))
  );
}

/** Files whose names begin with a dot are among the names. */
const showsHidden = (name: string, args: readonly string[]) =>
  /^(find|gfind|bfs|git)$/.test(name) || has(args, /^-\w*[aAHu]|^--(almost-)?all$|^--(hidden|unrestricted)$/);

const underFolder = (folder: string) => (folder.endsWith("/") ? folder : `${folder}/`);

export function listedNames(name: string, args: readonly string[], input: Feed): ListedNames | undefined {
  const folders = foldersOf(name, args);
  if (folders?.every(isLiteral))
    return {
      under: folders.length === 0 ? ["./"] : folders.map(underFolder),
      ...(showsHidden(name, args) ? {} : { onlyPlain: true as const }),
    };
  const names = input.kind === "unknown" ? input.names : undefined;
  if (!names) return undefined;
  const operands = args.filter((arg) => !/^-|^\+?\d+$/.test(arg));
  // Options by which a filter shows the content of files.
  if (
    has(
      args,
      /^-\w*[rRefT]|^--(?!(invert-match|ignore-case|extended-regexp|fixed-strings|color|reverse|unique)\b)/,
    )
  )
    return undefined;
  if (searches.test(name) && operands.length === 1) {
    const turned = has(args, /^-\w*v|^--invert-match$/) || names.onlyPlain;
    const sought = turned ? undefined : soughtBy(operands[0] ?? "");
    return { ...names, ...(sought === undefined ? {} : { sought }) };
  }
  return /^(head|tail|sort|uniq|cat)$/.test(name) && operands.length === 0 ? names : undefined;
}
