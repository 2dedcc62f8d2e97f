// Product files that load a changed file of which no call can be recorded: data, text that is run, a module that exports nothing.
// What such a change does shows in their functions.
import { languageOf, type TreeFiles } from "../checks/index.ts";
import { type Named, nothingNamed } from "./neighbours.ts";
import { namedIn } from "./named.ts";
import { isTestCode } from "./targets.ts";

export interface ChangedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

const mostSources = 400;
const mostLoaders = 20;

const isRecorded = (path: string): boolean => ["js", "python"].includes(languageOf(path) ?? "") && !isTestCode(path);

/** A module whose functions nobody can call. */
const isMute = ({ path, after }: ChangedText): boolean => {
  if (!isRecorded(path)) return languageOf(path) === null;
  return !/^[ \t]*export\b|\bexports\b|^(?:async\s+)?def\s|^class\s/m.test(after);
};

/** The word by which other files load it: data by its whole name. */
function nameOf(path: string): RegExp {
  const name = path.split("/").at(-1) ?? path;
  const word = (languageOf(path) === null ? name : name.replace(/\.\w+$/, "")).replaceAll(
    /[.*+?^${}()|[\]\\]/g,
    "\\$&",
  );
  return path.endsWith(".py")
    ? new RegExp(`^\\s*(?:from|import)\\b.*\\b${word}\\b`, "m")
    : new RegExp(`["'\`/]${word}(?:\\.\\w+)?["'\`]`);
}

/** How a file is loaded whose name stands nowhere: by a folder that is read, or by a name that is put together. */
const loadsByFolder = /\bimport\s*\(|\brequire\s*\(\s*[^"'\s]|\breaddir|\bglob\b|\bimportlib\b|\bpkgutil\b|__import__/;

export interface Loaders {
  readonly files: readonly ChangedText[];
  /** The values that the changed files name, which they load. */
  readonly named: Named;
}

export async function loadersOf(tree: TreeFiles, changed: readonly ChangedText[]): Promise<Loaders> {
  const mute = changed.filter(isMute);
  if (mute.length === 0) return { files: [], named: nothingNamed };
  const names = mute.map(({ path }) => nameOf(path));
  const paths = tree.paths
    .filter((path) => isRecorded(path) && !changed.some((one) => one.path === path))
    .slice(0, mostSources);
  const texts = (await tree.readAll?.(paths)) ?? (await Promise.all(paths.map((path) => tree.read(path))));
  const loading = (loads: (text: string) => boolean): ChangedText[] =>
    paths.flatMap((path, at) => {
      const text = texts[at] ?? "";
      return loads(text) ? [{ path, before: text, after: text }] : [];
    });
  const isUnnamed = names.some((name) => texts.every((text) => !name.test(text ?? "")));
  const named = loading((text) => names.some((name) => name.test(text)));
  const files = [...named, ...(isUnnamed ? loading((text) => loadsByFolder.test(text)) : [])];
  return { files: files.slice(0, mostLoaders), named: joined(mute.map(namedIn)) };
}

export const joined = (all: readonly Named[]): Named => ({
  numbers: all.flatMap(({ numbers }) => numbers),
  texts: all.flatMap(({ texts }) => texts),
  fields: all.flatMap(({ fields = [] }) => fields),
});
