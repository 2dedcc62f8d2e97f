// The sabotage control of one check on one piece of work: planned from git, run on scratch trees.
import { availableParallelism } from "node:os";
import type { CheckControl, CommandRunner } from "../../../core/contract/index.ts";
import { type CheckRun, runCheck } from "../run/run-check.ts";
import { controlBudget, controlCheck, controlFloor, type RanCheck } from "./control.ts";
import { planMistakes, planSabotages, type Sabotage } from "./plan.ts";
import { knownValues } from "./known-values.ts";
import { plantedFor } from "./planted-files.ts";
import { changedSource, testTexts } from "./targets.ts";

interface Control extends Omit<CheckRun, "edits" | "onOutput"> {
  readonly baseTree: string;
  /** Its command names a test runner that is known. */
  readonly hasRunner: boolean;
  /** Which questions are asked: can it still fail, does it reach the change. */
  readonly asks: "both" | "still_says_no" | "reaches";
  readonly ran: {
    readonly durationMs: number;
    readonly testsRun: number | null;
    readonly passed?: readonly string[];
    readonly readsGit?: boolean | null;
  };
  /** The test files that the command is limited to. */
  readonly only?: readonly string[];
  /** How many trials run at the same time; by default half of the machine's cores. */
  readonly lanes?: number;
  /** The check on the base commit as it is. */
  readonly onBase: () => Promise<RanCheck>;
  readonly tell: (line: string) => void;
}

export async function sabotageControl(control: Control): Promise<CheckControl> {
  const { repository, baseTree, tree, spec, asks, ran } = control;
  const changed = await changedSource(repository, baseTree, tree);
  const isBelow = (path: string) => spec.cwd === "" || path.startsWith(`${spec.cwd}/`);
  const mine = changed.files.filter(({ path }) => isBelow(path)).toSorted((a, b) => rank(a.path) - rank(b.path));
  const isTest = spec.kind === "test" || spec.kind === "other";
  const withNew = asks === "reaches";
  const { planted, alone } = isTest
    ? await plantedFor({
        repository,
        base: baseTree,
        tree,
        spec,
        changed: mine,
        withNew,
        ...(control.only ? { only: control.only } : {}),
      })
    : { planted: [], alone: undefined };
  const all: Sabotage[] = isTest ? planSabotages(mine, !control.hasRunner) : planMistakes(mine, kindOf(spec.kind));
  const looksForReach = isTest && asks !== "still_says_no";
  const known = looksForReach ? knownValues(mine, await testTexts(repository, tree, mine)) : undefined;
  const history = isTest ? await historyFor(control) : { alone: false };
  const lanes = control.lanes ?? (await lanesOf(control.runner));
  const result = await controlCheck({
    planted,
    alone: withNew ? undefined : alone,
    sabotages: asks === "still_says_no" ? all.filter(({ onBase }) => onBase !== null) : all,
    budgetMs: controlBudget(ran.durationMs),
    testsRun: ran.testsRun,
    ...(ran.passed ? { passed: ran.passed } : {}),
    floor: controlFloor(ran.durationMs),
    lanes,
    run: (where, edits, limitMs) =>
      runCheck({
        ...control,
        alone: history.alone,
        tree: where === "base" ? baseTree : tree,
        edits,
        // Trials beside each other may each take as long as all of them in turn.
        spec: { ...spec, timeoutMs: Math.min(spec.timeoutMs, Math.round(limitMs) + 2 * lanes * ran.durationMs) },
      }),
    base: control.onBase,
    now: () => performance.now(),
    tell: control.tell,
  });
  const needs = {
    ...(history.needed ? { needsHistory: true as const } : {}),
    ...(control.only ? { limitedTo: control.only.length } : {}),
  };
  if (!looksForReach) return { ...result, ...needs };
  const left = changed.left.filter(isBelow);
  return {
    ...result,
    ...needs,
    ...(left.length > 0 ? { untriedFiles: left.slice(0, 40), untried: left.length } : {}),
    ...(known === undefined ? {} : { known: known.text, ...(known.isWider ? { knownWider: true as const } : {}) }),
  };
}

/**
 * A trial has no history to compare with: code that reads the tests of an earlier commit would know what was planted. A
 * check that reads git has to pass so without a trial too; one that does not needs the history, as on the base commit.
 */
async function historyFor(control: Control): Promise<{ readonly alone: boolean; readonly needed?: true }> {
  if (control.ran.readsGit === false) return { alone: true };
  const passes = async (tree: string) => (await runCheck({ ...control, tree, alone: true })).result === "passed";
  if (await passes(control.tree)) return { alone: true };
  return (await passes(control.baseTree)) ? { alone: false, needed: true } : { alone: false };
}

const mostLanes = 4;

/** Only in sandboxes trials do not meet: each has ports and temporary files of its own. */
const lanesOf = async (runner: CommandRunner): Promise<number> =>
  (await runner.confinement()) === "none"
    ? 1
    : Math.max(1, Math.min(mostLanes, Math.floor(availableParallelism() / 2)));

/** The product first: a file in another folder may be a part of the judge, and its loss may go unnoticed anyway. */
const rank = (path: string): number => (/(?:^|\/)(?:src|lib|app|pkg|internal|source)\//.test(path) ? 0 : 1);

const kindOf = (kind: string): "typecheck" | "lint" | "build" =>
  kind === "typecheck" || kind === "build" ? kind : "lint";
