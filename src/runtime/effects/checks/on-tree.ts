// One check on one tree, on a scratch copy outside the checkout: run, compared by test name, run again, and sabotaged.
import type { CheckControl, CheckEvidence, Doubt } from "../../../core/contract/index.ts";
import {
  changedFiles,
  changedSource,
  changedTests,
  compareTests,
  idleTests,
  loadedDoubts,
  type LoadedRun,
  lostReport,
  narrowedTo,
  relevantTests,
  runAgain,
  runCheck,
  sabotageControl,
  scriptOf,
  treeFiles,
} from "../../../workspace/checks/index.ts";
import { replayCalls } from "../../../workspace/replay/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { type CheckOnTree, checkSite, freshResult, knownResult, rememberResult, resultOn } from "./known-results.ts";

export interface CheckRequest extends CheckOnTree {
  readonly onOutput: (line: string) => void;
}

export interface RunOptions {
  /** The tree against which files count as changed: those of them that the check reads are reported. */
  readonly changedSince?: string;
  /** The tree whose tests, by name, this one must have too. */
  readonly comparedWith?: string;
  /** The work adds tests: only those of the other tree are compared, by name. */
  readonly byName?: boolean;
  /** Only for a command that a person allowed to use the network. */
  readonly network?: boolean;
}

/** `tookMs` includes making the tree. */
export async function runOnTree(deps: EffectDeps, request: CheckRequest, options: RunOptions = {}) {
  const { runId, spec, tree, signal, onOutput } = request;
  const { changedSince, comparedWith, byName = false, network = false } = options;
  const watched = changedSince === undefined ? [] : await changedFiles(repositoryOf(deps), changedSince, tree);
  const began = performance.now();
  const ran = await runCheck({
    ...checkSite(deps, runId),
    spec,
    tree,
    watched,
    network,
    signal,
    onOutput: (_stream, chunk) => lastLines(chunk).forEach(onOutput),
  });
  const tookMs = Math.round(performance.now() - began);
  rememberResult(deps, spec, tree, ran);
  if (comparedWith === undefined || spec.kind !== "test") return { ...ran, tookMs };
  const onBase = { runId, spec, tree: comparedWith, signal };
  const before = await resultOn(deps, onBase);
  // Test names from a log differ from those of a report.
  const lacksReport = before.report === null && ran.report !== null;
  const base = lacksReport ? await freshResult(deps, onBase) : before;
  const why = byName ? undefined : lostReport(base, ran);
  const lost = why === undefined ? {} : { result: "failed" as const, why };
  return { ...ran, tookMs, ...lost, ...compareTests(base, ran) };
}

/** A chunk may hold thousands of lines: a person who watches reads the last ones. */
const lastLines = (chunk: Uint8Array): string[] =>
  Buffer.from(chunk)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((line) => line.slice(0, 200));

/** Runs a check that passed again, where the changed source reads the clock or its surroundings; undefined elsewhere. */
export function repeatOnTree(
  deps: EffectDeps,
  { runId, onOutput, ...request }: CheckRequest,
  more: { readonly baseTree: string; readonly tookMs: number; readonly comparable: boolean },
) {
  return runAgain({ ...checkSite(deps, runId), ...request, ...more, tell: onOutput });
}

/** Makes the calls that the check made of changed functions again, outside of it; nothing without changed source. */
export async function replayOnTree(
  deps: EffectDeps,
  { runId, onOutput, ...request }: CheckRequest,
  more: { readonly baseTree: string; readonly tookMs: number },
): Promise<Pick<CheckEvidence, "replay" | "doubts">> {
  const found = await replayCalls({ ...checkSite(deps, runId), ...request, ...more, tell: onOutput });
  if (!found) return {};
  const { doubts, ...replay } = found;
  return { replay, ...(doubts.length > 0 ? { doubts: [...doubts] } : {}) };
}

/** Doubts about the files that the check really loads. */
export const loadedOnTree = (
  deps: EffectDeps,
  { runId, spec, tree, signal }: CheckRequest,
  more: Pick<LoadedRun, "baseTree" | "declared" | "ran">,
): Promise<Doubt[]> => loadedDoubts({ ...checkSite(deps, runId), spec, tree, signal, ...more });

/** New tests of the work that pass on the base commit as well. */
export async function idleTestsOf(
  deps: EffectDeps,
  request: CheckRequest,
  baseTree: string,
): Promise<readonly string[]> {
  const { runId, spec, tree, signal } = request;
  const base = await resultOn(deps, { ...request, tree: baseTree });
  const work = knownResult(deps, spec, tree);
  const edits = await changedTests(repositoryOf(deps), baseTree, tree);
  if (!work || work.tests.passed.length === 0 || edits.length === 0) return [];
  const onBase = await runCheck({ ...checkSite(deps, runId), spec, tree: baseTree, edits, signal });
  return idleTests(base.tests, work.tests, onBase.tests);
}

/** Only a check of more than that is limited to the tests that read the change, and only where it then takes half the time. */
const slowMs = 10_000;

export interface Narrowed {
  readonly request: CheckRequest;
  readonly only: readonly string[];
  readonly ran: Awaited<ReturnType<typeof runOnTree>>;
}

/** A slow check limited to the test files that read the change, for trials; undefined where all of it is needed. */
export async function narrowOnTree(
  deps: EffectDeps,
  request: CheckRequest,
  { baseTree, tookMs, withNew }: { readonly baseTree: string; readonly tookMs: number; readonly withNew: boolean },
): Promise<Narrowed | undefined> {
  const { spec, tree } = request;
  if (tookMs <= slowMs || spec.kind !== "test") return undefined;
  const repository = repositoryOf(deps);
  const { files } = await changedSource(repository, baseTree, tree);
  const changed = files.filter(({ path }) => spec.cwd === "" || path.startsWith(`${spec.cwd}/`));
  const only = await relevantTests({ repository, base: baseTree, tree, spec, changed, withNew });
  const narrow = narrowedTo(spec, await scriptOf(await treeFiles(repository, tree), spec), only);
  if (!narrow) return undefined;
  request.onOutput(`trials are limited to ${only.length} test files that say something about the change`);
  const ran = await runOnTree(deps, { ...request, spec: narrow });
  const isUseful = ran.result === "passed" && ran.tookMs < tookMs / 2 && (ran.testsRun ?? 1) > 0;
  return isUseful ? { request: { ...request, spec: narrow }, only, ran } : undefined;
}

export type ControlQuestion = "both" | "still_says_no" | "reaches";

/** Breaks the tree on purpose and reports whether the check notices; undefined where the result alone suffices. */
export async function controlOnTree(
  deps: EffectDeps,
  { runId, onOutput, ...request }: CheckRequest,
  more: {
    readonly baseTree: string;
    readonly asks: ControlQuestion;
    readonly only?: readonly string[];
    readonly ran: {
      readonly durationMs: number;
      readonly testsRun: number | null;
      readonly passed?: readonly string[];
      readonly readsGit?: boolean | null;
    };
  },
): Promise<CheckControl | undefined> {
  const { spec, tree } = request;
  const [base, work] = [knownResult(deps, spec, more.baseTree), knownResult(deps, spec, tree)];
  // Missing tests have their own finding.
  const fewer = (base?.testsRun ?? 0) > (more.ran.testsRun ?? 0);
  if (fewer || (work?.silentFiles ?? 0) > (base?.silentFiles ?? 0)) return undefined;
  return sabotageControl({
    ...checkSite(deps, runId),
    ...request,
    ...more,
    hasRunner: work?.hasRunner ?? true,
    tell: onOutput,
    onBase: () => resultOn(deps, { runId, ...request, tree: more.baseTree }),
  });
}
