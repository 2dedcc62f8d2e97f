// The results of checks that this process knows: its own, and those on the base commit that an earlier process stored.
import type { CheckSpec } from "../../../core/contract/index.ts";
import {
  type Baseline,
  readBaseline,
  runCheck,
  surroundingsOf,
  writeBaseline,
} from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { scratchRoot } from "../scratch.ts";

export interface CheckOnTree {
  readonly runId: string;
  readonly spec: CheckSpec;
  readonly tree: string;
  readonly signal: AbortSignal;
}

const keyOf = ({ id }: CheckSpec, tree: string): string => `${tree} ${id}`;

export const knownResult = ({ results }: EffectDeps, spec: CheckSpec, tree: string): Baseline | undefined =>
  results.get(keyOf(spec, tree));

export function rememberResult({ results }: EffectDeps, spec: CheckSpec, tree: string, ran: Baseline): void {
  results.set(keyOf(spec, tree), ran);
}

/** Where a check of a run is run: the repository, and the folder for its scratch trees. */
export function checkSite(deps: EffectDeps, runId: string) {
  const repository = repositoryOf(deps);
  return {
    repository,
    runner: deps.commands,
    scratchRoot: scratchRoot(deps.scratchFolders, repository.top, runId),
  };
}

export async function freshResult(deps: EffectDeps, { runId, spec, tree, signal }: CheckOnTree) {
  const result = await runCheck({ ...checkSite(deps, runId), spec, tree, signal });
  rememberResult(deps, spec, tree, result);
  return result;
}

/** Runs the check where no result is known, as in a process that continues a run in other surroundings. */
export const resultOn = async (deps: EffectDeps, check: CheckOnTree): Promise<Baseline> =>
  knownResult(deps, check.spec, check.tree) ?? (await freshResult(deps, check));

/** The result of a check that just ran on the base commit, for a later process; undefined if the check did not start. */
export async function baselineText(deps: EffectDeps, spec: CheckSpec, tree: string): Promise<string | undefined> {
  const result = knownResult(deps, spec, tree);
  if (!result || result.result === "not_started") return undefined;
  return writeBaseline(await surroundings(deps, spec), result);
}

/** Takes over such a result of an earlier process, unless its surroundings were others. */
export async function recallBaseline(deps: EffectDeps, spec: CheckSpec, tree: string, text: string): Promise<void> {
  if (knownResult(deps, spec, tree)) return;
  const found = readBaseline(await surroundings(deps, spec), text);
  if (found) rememberResult(deps, spec, tree, found);
}

const surroundings = (deps: EffectDeps, spec: CheckSpec): Promise<string> =>
  surroundingsOf({ repository: repositoryOf(deps), runner: deps.commands }, spec);
