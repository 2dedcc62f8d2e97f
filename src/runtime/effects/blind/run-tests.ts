// Runs blind tests with the project's own checks (B-33): on the work with the base commit's tests and rules, and on the base
// commit, each in a scratch tree. A test file of the work is not there, so that it can neither help nor hinder.
import type { BlindTests, CheckSpec, EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { type CheckRun, guardedTree, runCheck, treeFiles } from "../../../workspace/checks/index.ts";
import { checkSite, resultOn } from "../checks/known-results.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { definesChecks, protectedGlobs } from "../patch/paths.ts";
import { putLog } from "../redaction.ts";
import { type BlindCount, countBlind } from "./count.ts";
import { answeredTests, sortTests, type TestFile } from "./files.ts";

type Effect = EffectOf<"run_blind_tests">;

const most = 20;

export async function runBlindTests(deps: EffectDeps, effect: Effect, context: EffectContext): Promise<EffectOutcome> {
  const repository = repositoryOf(deps);
  const { baseTree, productFiles } = effect;
  const extra = protectedGlobs(context.created.policy, effect.checkFiles);
  const defines = (path: string) => !productFiles.includes(path) && definesChecks(path, extra);
  const { tree } = await guardedTree(repository, baseTree, effect.tree, defines);
  const [onBase, onWork] = [await treeFiles(repository, baseTree), await treeFiles(repository, tree)];
  const { used, unused } = sortTests(
    await answeredTests(deps, effect.response),
    new Set([...onBase.paths, ...onWork.paths]),
  );
  const known = {
    tree: effect.tree,
    baseTree,
    author: effect.author,
    unused: unused.slice(0, most),
    files: used.map(({ path }) => path).slice(0, most),
    ...(await textOf(deps, used)),
  };
  const measured = await measure(deps, effect, context, tree, used);
  return { kind: "run_blind_tests", tests: { ...known, ...measured } };
}

/** All files as one text, for people. */
async function textOf(deps: EffectDeps, used: readonly TestFile[]): Promise<Pick<BlindTests, "text">> {
  if (used.length === 0) return {};
  const text = used.map((file) => `==> ${file.path} <==\n${file.text.trimEnd()}\n`).join("\n");
  const summary = `blind tests: ${used.map(({ path }) => path).join(", ")}`.slice(0, 300);
  const stored = await deps.artifacts.put(deps.text.redact(text), {
    kind: "evidence",
    mediaType: "text/plain; charset=utf-8",
    summary,
  });
  return { text: stored };
}

type Measured = Pick<BlindTests, "ran" | "proving" | "idle" | "failing" | "failingNames" | "notRun" | "stdout">;

const nothing = { ran: 0, proving: 0, idle: 0, failing: 0, failingNames: [] };

/** The check that runs in the closest folder around a file. */
function checkFor(checks: readonly CheckSpec[], path: string): CheckSpec | undefined {
  const around = checks.filter(({ cwd }) => cwd === "" || path.startsWith(`${cwd}/`));
  return around.toSorted((a, b) => b.cwd.length - a.cwd.length)[0];
}

async function measure(
  deps: EffectDeps,
  effect: Effect,
  context: EffectContext,
  tree: string,
  used: readonly TestFile[],
): Promise<Measured> {
  if (used.length === 0) return { ...nothing, notRun: "no file of the answer can be used as a test" };
  const all: { readonly count: BlindCount; readonly stdout: BlindTests["stdout"] }[] = [];
  for (const spec of effect.checks) {
    const files = used.filter(({ path }) => checkFor(effect.checks, path) === spec);
    if (files.length === 0) continue;
    const found = await withCheck(deps, effect, context, { spec, tree, files });
    if ("notRun" in found) return { ...nothing, ...found };
    all.push(found);
  }
  if (all.length === 0) return { ...nothing, notRun: "no file of the answer is in the folder of a check" };
  const failing = all.flatMap(({ count }) => count.failing);
  const sum = (of: (count: BlindCount) => number) => all.reduce((total, { count }) => total + of(count), 0);
  const log = all.find(({ stdout }) => stdout)?.stdout;
  return {
    ran: sum(({ ran }) => ran),
    proving: sum(({ proving }) => proving),
    idle: sum(({ idle }) => idle),
    failing: failing.length,
    failingNames: failing.slice(0, most).map((name) => deps.text.redact(name).slice(0, 300)),
    ...(log ? { stdout: log } : {}),
  };
}

interface Trial {
  readonly spec: CheckSpec;
  readonly tree: string;
  readonly files: readonly TestFile[];
}

async function withCheck(deps: EffectDeps, effect: Effect, context: EffectContext, trial: Trial) {
  const { runId, signal } = context;
  const { tree, files } = trial;
  const spec = { ...trial.spec, timeoutMs: Math.min(trial.spec.timeoutMs, effect.timeoutMs) };
  const run: Omit<CheckRun, "tree"> = { ...checkSite(deps, runId), spec, edits: files, signal };
  context.progress(`blind tests: ${spec.argv.join(" ")}`);
  const own = await resultOn(deps, { runId, spec: trial.spec, tree: effect.baseTree, signal });
  const onWork = await runCheck({ ...run, tree });
  const log = await putLog(deps, onWork.command.stdout, "stdout of the blind tests on the work", "strip");
  const stdout = log ?? undefined;
  if (onWork.result !== "passed" && onWork.result !== "failed")
    return { notRun: `on the work the check ${onWork.why}`, ...(stdout ? { stdout } : {}) };
  const first = countBlind(own.tests, onWork.tests, { passed: [], failed: [] });
  if (first.ran === 0 && onWork.result === "passed")
    return { notRun: `\`${spec.argv.join(" ")}\` does not run the new test files`, ...(stdout ? { stdout } : {}) };
  // The run ended badly without one of their tests failing: files that do not load, or a runner that was disturbed.
  if (first.failing.length === 0 && onWork.result === "failed") return { count: notLoaded(files, first), stdout };
  const onBase = await runCheck({ ...run, tree: effect.baseTree });
  return { count: countBlind(own.tests, onWork.tests, onBase.tests), stdout };
}

/** Nothing that passed in such a run counts. */
const notLoaded = (files: readonly TestFile[], { ran }: BlindCount): BlindCount => ({
  ran: Math.max(ran, files.length),
  proving: 0,
  idle: 0,
  failing: files.map(({ path }) => `${path} (does not run to its end)`),
});
