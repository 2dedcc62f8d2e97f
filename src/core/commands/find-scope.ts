// The folders that `find` searches, and whether what it finds can include git's own folder.
import { STAR, asGlob, couldBe } from "./lexer/pattern.ts";

const ahead = /^-([HLP]|O\d)$/;

/** The folders to search; `.` when none is given. */
export function searchRoots(args: readonly string[]): readonly string[] {
  const from = args.findIndex((arg) => !ahead.test(arg));
  const rest = from < 0 ? [] : args.slice(from);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = end < 0 ? rest : rest.slice(0, end);
  return roots.length === 0 ? ["."] : roots;
}

/** Names that git keeps in its folder. */
const gitNames = [
  ".git",
  "HEAD",
  "config",
  "index",
  "hooks",
  "refs",
  "objects",
  "logs",
  "info",
  "main",
  "master",
  "packed-refs",
  "description",
  "exclude",
  "pre-commit",
  "post-checkout",
  "pre-commit.sample",
  "pack-0.pack",
  "pack-0.idx",
  "0123456789abcdef0123456789abcdef01234567",
];

const isTop = (root: string) => /^(\.?\/?)*$|\uE000/.test(root);
const widens = /^(-L|-H|-follow|-o|-or|-not|!|,|-files0-from)$/;

/** Nothing of git is among what it finds: it searches below another folder, or for names that git does not use. */
export function isNarrowSearch(args: readonly string[]): boolean {
  if (args.some((arg) => /^(-L|-H|-follow|-files0-from)$/.test(arg))) return false;
  if (searchRoots(args).every((root) => !isTop(root))) return true;
  if (args.some((arg) => widens.test(arg))) return false;
  return args.some((arg, at) => {
    const name = args[at + 1];
    if (!/^-i?name$/.test(arg) || name === undefined) return false;
    const pattern = asGlob(name).replaceAll("\uE000", STAR).toLowerCase();
    return !gitNames.some((known) => couldBe(pattern, known.toLowerCase()));
  });
}
