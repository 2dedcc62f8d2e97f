// Which test files read a changed file, by following what each file loads. Pure: texts in, paths out. A test that is
// taken for a reader and is none costs one trial; the check itself shows whether it notices.
import { pathsIn } from "../definitions/named-by-tests.ts";
import { languageOf } from "./language.ts";

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A path without its ending; a package is its folder. */
const stemOf = (path: string): string =>
  path.replace(/\.(?:d\.)?[cm]?[jt]sx?$|\.py$|\.go$|\.rs$/, "").replace(/\/(?:index|__init__|mod)$/, "");

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");

/** Modules that a Python file loads, as paths without an ending. */
function pythonLoads(path: string, text: string): string[] {
  const near = (dots: string): string[] => {
    const folder = folderOf(path).split("/");
    return folder.slice(0, folder.length - (dots.length - 1));
  };
  const moduleOf = (name: string): string => {
    const dots = /^\.*/.exec(name)?.[0] ?? "";
    const rest = name.slice(dots.length).replaceAll(".", "/");
    return dots === "" ? rest : [...near(dots), ...(rest === "" ? [] : [rest])].join("/");
  };
  const froms = [...text.matchAll(/^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)/gm)].flatMap(
    ([, from = "", names = ""]) => {
      const whole = moduleOf(from);
      const parts = names.replaceAll(/[()]/g, "").split(",");
      return [whole, ...parts.map((name) => `${whole}/${name.trim().split(/\s/)[0] ?? ""}`)];
    },
  );
  const plain = [...text.matchAll(/^[ \t]*import[ \t]+([\w., \t]+)/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => moduleOf(name.trim().split(/\s/)[0] ?? "")),
  );
  return [...froms, ...plain].flatMap((one) => [one, ...packagesAbove(one)]);
}

/** A module is loaded after the packages around it. */
const packagesAbove = (module: string): string[] => {
  const parts = module.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
};

/** Go reads its whole folder, and folders by the end of their import path. */
const goLoads = (path: string, text: string): string[] => [
  folderOf(path),
  ...[...text.matchAll(/"([\w.-]+(?:\/[\w.-]+)*)"/g)].map((match) => match[1] ?? ""),
];

function loadsOf({ path, text }: Source): string[] {
  switch (languageOf(path)) {
    case "python":
      return pythonLoads(path, text);
    case "go":
      return goLoads(path, text);
    default:
      return pathsIn(path, text).map((one) => stemOf(one.replace(/^[@~#]\//, "")));
  }
}

/** The name by which a file is loaded: Go's are loaded by their folder. */
const nameOf = (path: string): string => (path.endsWith(".go") ? folderOf(path) : stemOf(path));

const isNamed = (loaded: string, name: string): boolean =>
  loaded === name || (loaded !== "" && name.endsWith(`/${loaded}`)) || (name !== "" && loaded.endsWith(`/${name}`));

const deepest = 8;

/** Of the tests, those that load one of the changed files, also through others. Rust's are compiled with the whole crate. */
export function readersOf(changed: readonly string[], tests: readonly Source[], sources: readonly Source[]): string[] {
  const loads = new Map(sources.map((one) => [one.path, loadsOf(one)]));
  const names = [...loads.keys()].map((path) => ({ path, name: nameOf(path) }));
  const targets = changed.map(nameOf);
  const rust = changed.some((path) => path.endsWith(".rs"));
  const hits = (loaded: readonly string[]): boolean =>
    loaded.some((one) => targets.some((target) => isNamed(one, target)));
  const reads = (test: Source): boolean => {
    if (test.path.endsWith(".rs")) return rust;
    let front = loadsOf(test);
    const seen = new Set<string>();
    for (let depth = 0; depth < deepest && front.length > 0; depth += 1) {
      if (hits(front)) return true;
      const next = names.filter(({ path, name }) => !seen.has(path) && front.some((one) => isNamed(one, name)));
      for (const { path } of next) seen.add(path);
      front = next.flatMap(({ path }) => loads.get(path) ?? []);
    }
    return false;
  };
  return tests.filter(reads).map(({ path }) => path);
}
