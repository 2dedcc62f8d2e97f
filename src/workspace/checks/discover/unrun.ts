// Scripts that start a test runner and that no check runs: suites beside `test`, packages of a workspace, lines of CI. They
// are named, because "no check fails" says nothing about them.
import { type CheckSpec, isRecord } from "../../../core/contract/index.ts";
import { runnersNamed } from "../log/count.ts";
import { blockLines, isRefused, readCi, singleLines } from "./ci-lines.ts";
import { everyOne, folderOf, parseJsonFile, type TreeFiles } from "../tree.ts";

export interface UnrunScript {
  /** `npm run test:integration`, with its folder where that is not the root. */
  readonly command: string;
  /** `package.json#scripts.test:integration`. */
  readonly source: string;
  /** Folders and files that it names, from the root; its own folder where it names none. */
  readonly paths: readonly string[];
  /** The folders of the other packages here that its package depends on. */
  readonly needs: readonly string[];
}

interface Script {
  readonly folder: string;
  readonly depends: readonly string[];
  readonly name: string;
  readonly line: string;
}

const mostManifests = 200;
const byHand = /watch|update|debug|inspect|(?:^|[:._-])(?:ui|dev|open|fix|bench|only|serve)(?:$|[:._-])/i;
const starts =
  /(?:^|[\s;&|(])(?:npm|pnpm|yarn|bun)(?:\s+-{1,2}[\w-]+(?:[= ](?!run\b)[\w./-]+)?)*\s+(?:run\s+|run-script\s+)?([\w:.-]+)/g;
/** Commands that run a script in every package. */
const everywhere =
  /--workspaces?\b|\s-ws\b|\s-r\b|--recursive\b|\bturbo\b|\blerna\b|\bnx\b|\bwsrun\b|workspaces\s+foreach/;

const namesIn = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);

interface Scripts {
  readonly all: readonly Script[];
  /** The folder of each package by its name. */
  readonly packages: ReadonlyMap<string, string>;
}

async function scriptsIn(tree: TreeFiles): Promise<Scripts> {
  const found: Script[] = [];
  const packages = new Map<string, string>();
  for (const path of everyOne(tree, "package.json", mostManifests)) {
    const manifest = parseJsonFile((await tree.read(path)) ?? "");
    if (!isRecord(manifest)) continue;
    const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
    const folder = folderOf(path);
    const depends = ["dependencies", "devDependencies", "peerDependencies"].flatMap((key) => namesIn(manifest[key]));
    if (typeof manifest["name"] === "string") packages.set(manifest["name"], folder);
    for (const [name, line] of Object.entries(scripts))
      if (typeof line === "string") found.push({ folder, name, line, depends });
  }
  return { all: found, packages };
}

const keyOf = ({ folder, name }: Pick<Script, "folder" | "name">): string => `${folder} ${name}`;

/** Scripts that the checks start, also through others. */
function startedBy(checks: readonly CheckSpec[], all: readonly Script[]): { keys: Set<string>; isWhole: boolean } {
  const known = new Map(all.map((one) => [keyOf(one), one]));
  const keys = new Set<string>();
  let isWhole = false;
  const follow = (folder: string, name: string): void => {
    const one = known.get(keyOf({ folder, name }));
    if (!one || keys.has(keyOf(one))) return;
    keys.add(keyOf(one));
    if (everywhere.test(one.line)) isWhole = true;
    for (const match of one.line.matchAll(starts)) follow(folder, match[1] ?? "");
    for (const beside of [`pre${name}`, `post${name}`]) follow(folder, beside);
  };
  for (const { argv, cwd } of checks) {
    const line = argv.join(" ");
    if (everywhere.test(line)) isWhole = true;
    for (const match of line.matchAll(starts)) follow(cwd, match[1] ?? "");
  }
  return { keys, isWhole };
}

/** Paths that a command line names: words without a sign of an option behind its runner. */
function pathsOf({ folder, line }: Script): string[] {
  const words = line.replaceAll(/["']/g, "").split(/\s+/).slice(1);
  const paths = words.filter((word) => /^[\w./*@-]+$/.test(word) && !word.startsWith("-") && /[/*]|\.\w+$/.test(word));
  const plain = paths.map((word) =>
    word
      .replace(/^\.\//, "")
      .replace(/\.\.\.$/, "")
      .replace(/[*].*$/, "")
      .replace(/\/+$/, ""),
  );
  const below = (path: string) => (folder === "" ? path : path === "" ? folder : `${folder}/${path}`);
  return plain.length === 0 ? [folder] : [...new Set(plain.map(below))];
}

/** With these options a runner runs other tests than without them. */
const choosing =
  /--(?:config|project|selectProjects|root|dir|tags|features)\b|\s-(?:c|tags)[\s=]|\s-m\s+(?!["']?(?:not|pytest|unittest)\b)/;
const isPlain = (line: string): boolean => !choosing.test(line);

/** A check with the same runner that names no path, or the same ones, runs at least as much. */
function isCovered(one: Script, run: readonly Script[]): boolean {
  const runners = runnersNamed(one.line);
  const own = pathsOf(one);
  return (
    isPlain(one.line) &&
    run.some((other) => {
      const paths = pathsOf(other);
      const wider = own.every((path) => paths.some((at) => at === path || at === "" || path.startsWith(`${at}/`)));
      return wider && isPlain(other.line) && runners.every((runner) => runnersNamed(other.line).includes(runner));
    })
  );
}

const byShell = (argv: readonly string[]): string => (argv[1] === "-c" ? (argv[2] ?? "") : argv.join(" "));

/** Lines of CI that start a test runner themselves, and not through a script. */
async function unrunLines(tree: TreeFiles, checks: readonly CheckSpec[], run: readonly Script[]) {
  const own = checks.map(({ argv, cwd }): Script => ({ folder: cwd, name: "", line: byShell(argv), depends: [] }));
  const all = [...run, ...own];
  const found = new Map<string, UnrunScript>();
  for (const { path, text } of await readCi(tree, true)) {
    // The folder of a line is not read from the file: any check with its runner counts there.
    const isElsewhere = /working[-_]directory/.test(text);
    for (const line of [...singleLines(text), ...blockLines(text)]) {
      const [, folder = "", rest = line] = /^cd\s+(?:\.\/)?([\w./-]+?)\/?\s*&&\s*(.+)$/.exec(line) ?? [];
      const one: Script = { folder, name: "", line: rest, depends: [] };
      const runners = runnersNamed(rest);
      const isSame = all.some((other) => runners.some((runner) => runnersNamed(other.line).includes(runner)));
      const isOther = runners.length === 0 || isRefused(line) || byHand.test(rest) || /^(?:#|echo\b|\w+:)/.test(line);
      if (isOther || (isElsewhere && isSame && isPlain(rest)) || isCovered(one, all)) continue;
      found.set(line, { command: line, source: path, paths: pathsOf(one), needs: [] });
    }
  }
  return [...found.values()];
}

export async function unrunScripts(tree: TreeFiles, checks: readonly CheckSpec[]): Promise<UnrunScript[]> {
  const { all, packages } = await scriptsIn(tree);
  const { keys, isWhole } = startedBy(checks, all);
  const run = all.filter((one) => keys.has(keyOf(one)));
  const left = all.filter(
    (one) =>
      !keys.has(keyOf(one)) &&
      !byHand.test(one.name) &&
      !byHand.test(one.line) &&
      runnersNamed(one.line).length > 0 &&
      !(isWhole && one.folder !== "" && run.some(({ folder, name }) => folder === "" && name === one.name)) &&
      !isCovered(one, run),
  );
  const scripts = left.map((one) => ({
    command: one.folder === "" ? `npm run ${one.name}` : `npm run ${one.name} in ${one.folder}`,
    source: `${one.folder === "" ? "" : `${one.folder}/`}package.json#scripts.${one.name}`,
    paths: pathsOf(one),
    needs: one.depends.flatMap((name) => packages.get(name) ?? []),
  }));
  return [...scripts, ...(await unrunLines(tree, checks, run))];
}
