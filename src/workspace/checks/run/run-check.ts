// Runs one check on exactly one tree, confined, and judges its result.
import { randomBytes } from "node:crypto";
import { promises } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import {
  type CheckSpec,
  type CommandOutcome,
  type CommandRequest,
  type CommandRunner,
  fail,
  isRecord,
} from "../../../core/contract/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { hiddenFrom } from "../../../platform/sandbox/index.ts";
import { isHollowCheck } from "../discover/hollow.ts";
import { treeFiles, scriptOf, type Edit, parseJsonFile, type TreeFiles } from "../tree.ts";
import { runnersNamed } from "../log/count.ts";
import type { TestReport } from "../reporters/index.ts";
import { runWithReporter, runWithoutReporter } from "./with-reporter.ts";
import { moveClock } from "./clock.ts";
import { mountDependencies } from "./dependencies.ts";
import { type CheckJudgement, judgeCheck } from "./judge.ts";
import { mountObjects, openScratch } from "./scratch.ts";
import { watchReads, watchJudge, watchRewrites } from "./watch-files.ts";

export interface CheckRun {
  readonly repository: Repository;
  readonly runner: CommandRunner;
  /** Outside the checkout: tools that look in the folders above must not find the work there. */
  readonly scratchRoot: string;
  readonly spec: CheckSpec;
  readonly tree: string;
  /** Files that are broken on purpose before the check runs. */
  readonly edits?: readonly Edit[];
  /** Without history: one commit, whose parents and earlier files cannot be read. */
  readonly alone?: boolean;
  /** In other surroundings than the checkout's: folder, variables, git, and without the package manager around it. */
  readonly elsewhere?: boolean;
  /** How far the clock is moved for the programs of the check. */
  readonly aheadMs?: number;
  /** Files and variables that go into the sandbox with the check; it then runs without our reporter. */
  readonly attached?: Pick<CommandRequest, "own" | "envAppended" | "env">;
  /** Reports which of these files the check reads. */
  readonly watched?: readonly string[];
  /** Checks never have it. */
  readonly network?: boolean;
  readonly signal?: AbortSignal;
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

export interface CheckRunResult extends CheckJudgement {
  /** Its command names a test runner that is known. */
  readonly hasRunner: boolean;
  /** The report of its runner over our channel, where there is one. */
  readonly report: TestReport | null;
  /** The watched files that it read; null where the system does not record it. */
  readonly read: readonly string[] | null;
  /** The watched files that hold other content after it than before. */
  readonly rewritten: readonly string[];
  /** It read git's folder; null where the system does not record it. */
  readonly readsGit: boolean | null;
  readonly command: CommandOutcome;
}

const maxOutputBytes = 8 << 20;

/** Runners that wait for a key unless CI is set. In the checkout they would never end. */
const waitsForKeys = /\b(?:react-scripts|craco|rescripts)\s+test\b|\bng\s+test\b/;

/** The environment is the user's, without secrets: a check has to give the result that it gives the user. */
function variables(script: string, paths: readonly string[]): Readonly<Record<string, string>> {
  return {
    // A go.work of the checkout around the scratch tree must not apply to this tree.
    ...(paths.includes("go.mod") && !paths.includes("go.work") ? { GOWORK: "off" } : {}),
    ...(waitsForKeys.test(script) ? { CI: "true" } : {}),
  };
}

export async function runCheck(run: CheckRun): Promise<CheckRunResult> {
  const { repository, spec } = run;
  // After a stop the trials that follow would each make a tree to find that their command may not begin.
  if (run.signal?.aborted) fail("interrupted", "The check was stopped.");
  const files = await treeFiles(repository, run.tree);
  const hollow = await isHollowCheck(files, spec);
  const script = await scriptOf(files, spec);
  const history = run.alone ? "alone" : run.elsewhere ? "detached" : "committed";
  const dir = join(run.scratchRoot, randomBytes(6).toString("hex"));
  const scratch = await openScratch(repository, dir, run.tree, history, run.edits);
  const { tree } = scratch;
  const clock = run.aheadMs === undefined ? undefined : moveClock(run.aheadMs);
  try {
    const confined = (await run.runner.confinement()) !== "none";
    const { programs, lent } = await mountDependencies(repository.top, scratch.dir, files.paths, confined);
    const at = run.elsewhere ? "/tmp/copy" : shownAt(repository.top);
    const direct = run.elsewhere ? await withoutManager(files, spec, confined ? at : scratch.dir) : null;
    const read = watchReads(scratch.dir, [...(run.watched ?? []), head]);
    const rewrites = await watchRewrites(repository, tree, scratch.dir, run.watched ?? []);
    const judge = await watchJudge(repository, tree, scratch.dir, spec.files ?? []);
    const objects = confined && !run.alone ? await mountObjects(repository, scratch.dir) : [];
    const request: CommandRequest = {
      ...clock?.request,
      ...run.attached,
      argv: direct?.argv ?? spec.argv,
      cwd: join(scratch.dir, spec.cwd),
      writable: [scratch.dir],
      ...(confined ? { shown: { folder: scratch.dir, at, lent: [...lent, ...objects, ...judge.shut] } } : {}),
      network: run.network ?? false,
      inherit: true,
      env: {
        ...variables(script, files.paths),
        ...(run.elsewhere ? { CI: "true", TZ: "Asia/Tokyo" } : {}),
        ...direct?.env,
        ...run.attached?.env,
      },
      timeoutMs: spec.timeoutMs,
      maxOutputBytes,
      ...(run.signal ? { signal: run.signal } : {}),
      ...(run.onOutput ? { onOutput: run.onOutput } : {}),
    };
    // In other surroundings no reporter is attached: code that searches for one finds none.
    const runReported =
      spec.kind === "test" && !run.elsewhere && !clock && !run.attached ? runWithReporter : runWithoutReporter;
    const { command, report } = await runReported({
      runner: run.runner,
      request,
      script,
      started: (argv) => (direct ? Promise.resolve(argv) : fromVenv(argv, programs)),
    });
    const runners = runnersNamed(script);
    const judged = judgeCheck(spec.kind, command, {
      hollow,
      hasFile: isFileAt(files.paths, spec.cwd, confined ? at : scratch.dir),
      runners,
      report,
      changed: await judge.changed(),
    });
    return {
      hasRunner: runners.length > 0,
      ...judged,
      why: (confined && judged.result === "not_started" && (await hiddenNeed(run, request, command))) || judged.why,
      report,
      ...readIn(read()),
      rewritten: await rewrites(),
      command,
    };
  } finally {
    scratch.dispose();
    clock?.dispose();
  }
}

/** What is there and hidden is not missing. */
async function hiddenNeed(
  { runner }: CheckRun,
  { cwd, writable, shown }: CommandRequest,
  { stdout, stderr }: CommandOutcome,
): Promise<string | undefined> {
  const said = `${Buffer.from(stderr).toString("utf8")}\n${Buffer.from(stdout).toString("utf8")}`;
  const hidden = await hiddenFrom(runner, { cwd, writable, inherit: true, ...(shown ? { shown } : {}) }, said);
  return hidden === undefined
    ? undefined
    : `the sandbox hides ${hidden}, which it needs; folders on your PATH are shown, so add ${dirname(hidden)} to it`;
}

const head = ".git/HEAD";

const readIn = (paths: readonly string[] | null): Pick<CheckRunResult, "read" | "readsGit"> => ({
  read: paths?.filter((path) => path !== head) ?? null,
  readsGit: paths?.includes(head) ?? null,
});

/** The checkout's own path. A checkout around the whole home would hide the user's tools, so its tree is shown elsewhere. */
export function shownAt(top: string): string {
  return `${homedir()}/`.startsWith(top === "/" ? "/" : `${top}/`) ? "/tmp/project" : top;
}

/** A program of the project's own virtual environment goes before one of the machine. */
async function fromVenv(
  argv: readonly [string, ...string[]],
  programs: readonly string[],
): Promise<readonly [string, ...string[]]> {
  const [program, ...rest] = argv;
  for (const folder of program.includes("/") ? [] : programs) {
    const own = join(folder, program);
    if (await promises.stat(own).catch(() => undefined)) return [own, ...rest];
  }
  return argv;
}

/** A test is named after a file by its place below the folder it ran in, or in full. */
function isFileAt(paths: readonly string[], cwd: string, top: string): (name: string) => boolean {
  const known = new Set(paths);
  return (name) =>
    known.has(name.startsWith(`${top}/`) ? name.slice(top.length + 1) : join(cwd, name).replaceAll("\\", "/"));
}

interface Direct {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** null where the check does not run such a script, or one with another script before or after it. */
async function withoutManager(tree: TreeFiles, spec: CheckSpec, top: string): Promise<Direct | null> {
  const [program, verb, name = ""] = spec.argv;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program) || verb !== "run") return null;
  const folder = spec.cwd === "" ? "" : `${spec.cwd}/`;
  const manifest = parseJsonFile((await tree.read(`${folder}package.json`)) ?? "");
  const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const line = scripts[name];
  if (typeof line !== "string" || scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined)
    return null;
  if (/\bnpm_|\bnpm run\b|\byarn\b|\bpnpm\b/.test(line)) return null;
  const bins = [...new Set([`${top}/${folder}node_modules/.bin`, `${top}/node_modules/.bin`])];
  return { argv: ["sh", "-c", `PATH=${bins.join(":")}:$PATH; ${line}`], env: {} };
}
