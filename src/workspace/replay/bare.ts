// Calls functions in bare processes: no test runner, none of its variables, globals or threads, no test files on disk and no
// history, in the sandbox.
import { promises } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { CheckSpec, CommandRunner } from "../../core/contract/index.ts";
import type { Repository } from "../../platform/git/index.ts";
import { mountDependencies, openScratch, shownAt, type TreeFiles, treeFiles } from "../checks/index.ts";
import { isModuleText } from "./instrument.ts";
import type { LoadedModule } from "./calls.ts";
import { openPipe, type Pipe } from "./pipe.ts";
import { type PlannedCall, type Played, readPlayed } from "./played.ts";
import { withoutTypes } from "./strip-types.ts";
import { isTestCode } from "./targets.ts";
import { javascript, nodePlayer, pythonPlayer } from "./texts.ts";

export interface ReplaySite {
  readonly repository: Repository;
  readonly runner: CommandRunner;
  readonly scratchRoot: string;
  readonly spec: CheckSpec;
  readonly signal?: AbortSignal;
}

/** The surroundings of one process, as far as they differ from those of the check. */
export interface Around {
  readonly label: string;
  readonly calls: readonly PlannedCall[];
  readonly elsewhere?: boolean;
  readonly zone?: string;
  readonly locale?: string;
  readonly aheadMs?: number;
  readonly terminal?: boolean;
  /** Variables of the process, as `NAME=value`. */
  readonly variables?: readonly string[];
  readonly seed?: number;
  /** Neighbours, which are called after them. */
  readonly beside?: readonly PlannedCall[];
  /** How often each call is made. */
  readonly times?: number;
  /** It reports what the modules export. */
  readonly lists?: true;
  /** Then all of them again, up to so many calls. */
  readonly soak?: number;
}

interface BareRun {
  readonly tree: string;
  readonly modules: readonly LoadedModule[];
  readonly processes: readonly Around[];
  readonly seed: number;
  readonly timeoutMs: number;
}

export interface BareResult {
  readonly played: ReadonlyMap<string, Played>;
  /** Folders that are a part of results. */
  readonly folders: readonly string[];
}

const isPython = (file: string): boolean => file.endsWith(".py");
const soakMs = 150;

export async function playBare(site: ReplaySite, run: BareRun): Promise<BareResult | undefined> {
  const { repository, spec } = site;
  const pipe = openPipe();
  if (!pipe) return undefined;
  const files = await treeFiles(repository, run.tree);
  const dir = join(site.scratchRoot, randomBytes(6).toString("hex"));
  const scratch = await openScratch(repository, dir, run.tree, "none");
  let text = "";
  const top = shownAt(repository.top);
  try {
    await removeTests(files.paths, dir, spec.cwd);
    const { lent } = await mountDependencies(repository.top, dir, files.paths, true);
    const loads = await needsLoader(files.read, run.modules);
    if (loads) await removeTypes(files, dir);
    const script = scriptOf(pipe, top, run, loads);
    await site.runner.run({
      argv: ["sh", "-c", script],
      cwd: join(dir, spec.cwd),
      writable: [dir],
      shown: { folder: dir, at: top, lent },
      own: [{ path: pipe.folder, access: "read" }],
      network: false,
      inherit: true,
      timeoutMs: run.timeoutMs,
      maxOutputBytes: 4 << 20,
      ...(site.signal ? { signal: site.signal } : {}),
    });
  } finally {
    scratch.dispose();
    text = await pipe.close();
  }
  return { played: readPlayed(text), folders: [join(top, spec.cwd).replace(/\/$/, ""), pipe.folder] };
}

/** TypeScript, and modules in files that Node takes for scripts. */
async function needsLoader(
  read: (path: string) => Promise<string | undefined>,
  modules: readonly LoadedModule[],
): Promise<boolean> {
  for (const { file } of modules.filter((one) => !isPython(one.file))) {
    if (/\.(?:[cm]?ts|[jt]sx)$/.test(file)) return true;
    if (!file.endsWith(".js") || !isModuleText(file, (await read(file)) ?? "")) continue;
    let folder = file;
    let manifest: string | undefined;
    do {
      folder = dirname(folder);
      manifest = await read(folder === "." ? "package.json" : `${folder}/package.json`);
    } while (manifest === undefined && folder !== ".");
    if (!/"type"\s*:\s*"module"/.test(manifest ?? "")) return true;
  }
  return false;
}

/** With the folders that hold nothing else. */
async function removeTests(paths: readonly string[], dir: string, cwd: string): Promise<void> {
  const kept = new Set([...paths.filter((path) => !isTestCode(path)), `${cwd}/x`].flatMap(foldersOf));
  const gone = new Set(paths.filter(isTestCode).flatMap((path) => [path, ...foldersOf(path)]));
  const whole = [...gone].filter((path) => !kept.has(path));
  await Promise.all(whole.map((path) => promises.rm(join(dir, path), { recursive: true, force: true })));
}

const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, at, all) => all.slice(0, at + 1).join("/"));

const mostTyped = 1_000;

/** A file that needs more than that is left to the project's own compiler. */
async function removeTypes(files: TreeFiles, dir: string): Promise<void> {
  const typed = files.paths.filter((path) => /(?<!\.d)\.[cm]?ts$/.test(path) && !isTestCode(path)).slice(0, mostTyped);
  const texts = (await files.readAll?.(typed)) ?? [];
  for (const [at, path] of typed.entries()) {
    const plain = withoutTypes(texts[at] ?? "");
    if (plain !== null) await promises.writeFile(join(dir, path), plain);
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** All processes at once; one that hangs is ended and its last calls have no end. */
function scriptOf(pipe: Pipe, top: string, run: BareRun, loads: boolean): string {
  const loader = loads ? pipe.add("source.mjs", javascript().load) : null;
  const seconds = Math.max(2, Math.floor(run.timeoutMs / 1_000) - 1);
  const lines = run.processes.flatMap((around, at) =>
    [true, false].flatMap((python): string[] => {
      const calls = around.calls.filter(({ m }) => isPython(m) === python);
      const program = run.modules.find(({ file }) => isPython(file) === python)?.program;
      if (calls.length === 0 || program === undefined) return [];
      const file = python
        ? pipe.add(`main${at}.py`, pythonPlayer(planOf(pipe, top, run, around, calls), around.aheadMs))
        : pipe.add(`main${at}.mjs`, playerOf(pipe, top, run, around, calls, loader));
      const variables = [
        ...(around.variables ?? []),
        ...(around.zone === undefined ? [] : [`TZ=${around.zone}`]),
        ...(around.locale === undefined ? [] : [`LC_ALL=${around.locale}`, `LANG=${around.locale}`]),
        ...(python ? [`PYTHONHASHSEED=${around.seed ?? run.seed}`, "PYTHONDONTWRITEBYTECODE=1"] : []),
      ];
      const folder = around.elsewhere ? `cd ${quoted(pipe.folder)} && ` : "";
      return [
        `(${folder}exec env ${variables.join(" ")} $T ${quoted(program)} ${quoted(file)}) >/dev/null 2>&1 </dev/null &`,
      ];
    }),
  );
  return [`T=; command -v timeout >/dev/null && T="timeout -k 1 ${seconds}"`, ...lines, "wait"].join("\n");
}

function planOf(pipe: Pipe, top: string, run: BareRun, around: Around, calls: readonly PlannedCall[]) {
  const own = run.modules.filter(({ file }) => calls.some(({ m }) => m === file));
  return {
    pipe: pipe.path,
    label: around.label,
    calls,
    beside: (around.beside ?? []).filter(({ m }) => own.some(({ file }) => file === m)),
    times: around.times ?? 1,
    ...(around.lists ? { lists: true } : {}),
    ...(around.soak === undefined ? {} : { soak: around.soak, soakMs }),
    ...(around.aheadMs === undefined ? {} : { waitMs: 20 }),
    modules: Object.fromEntries(own.flatMap(({ file, module }) => (module === undefined ? [] : [[file, module]]))),
    paths: [...new Set([...own.flatMap(({ paths }) => paths.map((path) => join(top, path))), top])],
  };
}

const playerOf = (
  pipe: Pipe,
  top: string,
  run: BareRun,
  around: Around,
  calls: readonly PlannedCall[],
  loader: string | null,
): string =>
  nodePlayer({
    plan: planOf(pipe, top, run, around, calls),
    top,
    loader,
    ...(around.aheadMs === undefined ? {} : { aheadMs: around.aheadMs }),
    ...(around.terminal ? { terminal: true } : {}),
  });
