// The sabotage control: breaks a tree on purpose, runs the check on it, and looks whether the check notices. A sabotage
// that went unnoticed is tried on the base commit: a check that noticed it there was weakened by the work.
import type { CheckControl, CheckResult } from "../../../core/contract/index.ts";
import type { Edit } from "../tree.ts";
import { unitPlaces, type Sabotage } from "./plan.ts";
import { plantFailures, type PlantedFile } from "./plant.ts";

export interface RanCheck {
  readonly result: CheckResult;
  readonly testsRun: number | null;
  /** By name, where the runner names them. */
  readonly tests?: { readonly passed: readonly string[]; readonly failed?: readonly string[] };
}

export interface ControlInput {
  /** The test files in which a failure is planted. */
  readonly planted: readonly PlantedFile[];
  readonly sabotages: readonly Sabotage[];
  /** A test that is left alone: it has to pass where it does on the base. */
  readonly alone?: Sabotage | undefined;
  readonly budgetMs: number;
  /** How many tests the check ran on the untouched work. */
  readonly testsRun: number | null;
  /** The names of the tests that passed on the untouched work, where the runner names them. */
  readonly passed?: readonly string[];
  /** The sabotages of values that are tried however long it takes: the result must not depend on the load of the machine. */
  readonly floor?: number;
  /** So many mistakes are tried at the same time, each in a sandbox of its own. */
  readonly lanes?: number;
  run(where: "work" | "base", edits: readonly Edit[], limitMs: number): Promise<RanCheck>;
  /** The check on the base commit as it is. */
  base(): Promise<RanCheck>;
  now(): number;
  tell(line: string): void;
}

const mostControlMs = 60_000;

/** At most a minute, and at most five times as long as the check itself takes. */
export const controlBudget = (ownMs: number): number => Math.min(mostControlMs, 5 * ownMs);

const mostValues = 20;
const leastValues = 6;
/** At least six values are tried, and until each changed function was noticed or tried enough; of a slow check that cannot be
 * narrowed to the tests that read the change, as many as a minute allows. */
export const controlFloor = (ownMs: number): number =>
  Math.max(1, Math.min(leastValues, Math.floor(mostControlMs / Math.max(1, ownMs))));

/**
 * Whether a test noticed a wrong value: true, false, or null for a trial that shows nothing. A file that cannot be loaded or
 * compiled fails in every project, with or without a single assertion.
 */
function noticesValue(ran: RanCheck, { testsRun, passed = [] }: ControlInput): boolean | null {
  if (ran.result === "passed")
    return testsRun !== null && ran.testsRun !== null && ran.testsRun < testsRun ? null : false;
  if (ran.result !== "failed") return null;
  const failed = new Set(ran.tests?.failed ?? []);
  if (passed.some((name) => failed.has(name))) return true;
  if (testsRun === null) return true;
  return ran.testsRun !== null && ran.testsRun >= testsRun && (failed.size > 0 || passed.length === 0) ? true : null;
}

const isNoticed = (ran: RanCheck, testsRun: number | null): boolean =>
  (ran.result !== "passed" && ran.result !== "not_started") ||
  (testsRun !== null && ran.testsRun !== null && ran.testsRun < testsRun);

/** On a base that already fails, a test that passes there and fails with the sabotage. */
function isNoticedOnBase(ran: RanCheck, base: RanCheck): boolean {
  if (base.result === "passed") return isNoticed(ran, null);
  const passed = new Set(ran.tests?.passed ?? []);
  return base.result === "failed" && (base.tests?.passed ?? []).some((name) => !passed.has(name));
}

interface ReachOfValues {
  tried: number;
  noticed: number;
  /** Of these, values that are no error and not nothing. */
  fine: number;
  fineNoticed: number;
}

interface Tally {
  ran: number;
  noticed: number;
  reachRan: number;
  reachNoticed: number;
  valuesRan: number;
  readonly functions: Map<string, ReachOfValues>;
  readonly missed: string[];
  touchy?: string;
  weakened: string | null;
  canary: CheckControl["canary"];
  planted?: NonNullable<CheckControl["planted"]>;
  dependent?: string;
  blind?: true;
}

export async function controlCheck(input: ControlInput): Promise<CheckControl> {
  const { budgetMs, planted, sabotages } = input;
  const began = input.now();
  const spent = () => Math.round(input.now() - began);
  const tally: Tally = {
    ran: 0,
    noticed: 0,
    reachRan: 0,
    reachNoticed: 0,
    valuesRan: 0,
    functions: new Map(
      unitPlaces(sabotages).map((place) => [place, { tried: 0, noticed: 0, fine: 0, fineNoticed: 0 }]),
    ),
    missed: [],
    weakened: null,
    canary: "none",
  };
  const files = { tried: new Set<string>(), reached: new Set<string>() };
  let longest = 0;
  const trial = async (where: "work" | "base", { edits, onBase }: Sabotage): Promise<RanCheck> => {
    const since = input.now();
    const limit = Math.max(1_000, budgetMs - spent());
    const ran = await input.run(where, where === "base" ? (onBase ?? []) : edits, limit);
    longest = Math.max(longest, input.now() - since);
    return ran;
  };
  /** A wrong value is noticed by a test that fails, and not by a file that cannot be compiled. */
  const judge = async (where: "work" | "base", ran: RanCheck, isValue = false): Promise<boolean | null> => {
    // On the base our own time limit, on a busy machine, is not evidence against the work.
    if (ran.result === "not_started" || (where === "base" && ran.result === "timed_out")) return null;
    if (where === "base") return isNoticedOnBase(ran, await input.base());
    return isValue ? noticesValue(ran, input) : isNoticed(ran, input.testsRun);
  };
  const attempt = async (where: "work" | "base", one: Sabotage): Promise<boolean | null> =>
    judge(where, await trial(where, one), one.value === true);
  const weakens = async (one: Sabotage): Promise<boolean> =>
    one.onBase !== null &&
    (one.harder === undefined || (await attempt("work", { ...one, edits: one.harder })) === false) &&
    canCompare(await input.base()) &&
    (await attempt("base", one)) === true;
  const hasTime = () => spent() + longest <= budgetMs;
  if (planted.length > 0) {
    const run = (edits: readonly Edit[]) => trial("work", { what: "", edits, onBase: null, reach: false });
    const baseFails = async () => (await input.base()).result === "failed";
    const { tell, passed = [] } = input;
    Object.assign(tally, await plantFailures(planted, { attempt, run, weakens, hasTime, baseFails, tell, passed }));
  }
  if (tally.weakened === null && (await dependsOnOthers(input))) {
    tally.dependent = input.alone?.what ?? "";
    tally.weakened = `that ${tally.dependent} fails alone`;
  }
  const started = new Map<Sabotage, Promise<RanCheck>>();
  const start = (one: Sabotage): Promise<RanCheck> => {
    const time = `${seconds(spent())} of at most ${seconds(budgetMs)} s`;
    input.tell(`planted mistake ${sabotages.indexOf(one) + 1} of ${sabotages.length} (${time}): ${one.what}`);
    const running = trial("work", one);
    started.set(one, running);
    return running;
  };
  for (const [index, one] of sabotages.entries()) {
    if (tally.weakened !== null) break;
    if (!started.has(one)) {
      if (!isDue(one, tally, hasTime(), input.floor ?? 0)) continue;
      // An error is thrown below, in the turn of its trial, when no other one is under way.
      await Promise.allSettled(beside(sabotages, index, input.lanes ?? 1, tally).map(start));
    }
    const ran = await (started.get(one) ?? start(one));
    // A statement, unlike a comment, may not be allowed where it was put: only a test that fails counts.
    const noticed = await judge("work", ran, one.neutral === true && one.value === true);
    if (one.neutral) {
      if (noticed === true && (one.onBase === null || (await attempt("base", one)) === false))
        tally.touchy ??= one.what;
      continue;
    }
    const measured = one.unit === undefined ? noticed : noticesValue(ran, input);
    count(tally, one, measured);
    if (noticed === null) continue;
    tally.ran += 1;
    if (noticed) tally.noticed += 1;
    else tally.missed.push(one.what);
    for (const { path } of one.reach && measured !== null ? one.edits : []) {
      files.tried.add(path);
      if (measured) files.reached.add(path);
    }
    if (!noticed && (await weakens(one))) tally.weakened = one.what;
  }
  const { functions, valuesRan: _, ...counts } = tally;
  const places = [...functions].map(([place, { tried, noticed, fine, fineNoticed }]) => {
    const crudely = noticed > 0 && fineNoticed === 0 && fine >= leastFine;
    return { place, tried, noticed, ...(crudely ? { crudely: true as const } : {}) };
  });
  return {
    ...counts,
    functions: places.slice(0, mostFunctions),
    ...(places.length > mostFunctions ? { moreFunctions: places.length - mostFunctions } : {}),
    triedFiles: [...files.tried].slice(0, 40),
    reachedFiles: [...files.reached].slice(0, 40),
    missed: tally.missed.slice(0, 5),
    planned: sabotages.length + (planted.length > 0 ? 1 : 0),
    budgetMs,
    spentMs: spent(),
  };
}

const mostFunctions = 200;
/** Fewer wrong values of one function that nothing notices may be equal to the right ones. */
const leastFine = 2;

/** A value of a function that nothing noticed yet is tried within the floor; everything else in the time for it. */
function isDue(one: Sabotage, tally: Tally, hasTime: boolean, floor: number): boolean {
  if (one.unit !== undefined && tally.valuesRan >= mostValues) return false;
  if (hasTime) return true;
  if (one.unit === undefined) return tally.ran === 0 && one.onBase !== null;
  const open = (tally.functions.get(one.unit)?.noticed ?? 0) === 0;
  return floor >= leastValues ? open || tally.valuesRan < floor : tally.valuesRan < floor;
}

/** Trials that follow each other. A change that means nothing runs alone: a test that only lacks time must not fail with it. */
function beside(all: readonly Sabotage[], at: number, lanes: number, { valuesRan }: Tally): readonly Sabotage[] {
  const next = all.slice(at, at + Math.max(1, Math.min(lanes, mostValues - valuesRan)));
  const neutral = next.findIndex((one) => one.neutral === true);
  return neutral < 0 ? next : next.slice(0, Math.max(1, neutral));
}

function count(tally: Tally, { unit, reach, crude }: Sabotage, measured: boolean | null): void {
  const known = unit === undefined ? undefined : tally.functions.get(unit);
  if (known) tally.valuesRan += 1;
  if (measured === null) return;
  if (reach) tally.reachRan += 1;
  if (reach && measured) tally.reachNoticed += 1;
  if (known) known.tried += 1;
  if (known && measured) known.noticed += 1;
  if (!known || crude) return;
  known.fine += 1;
  if (measured) known.fineNoticed += 1;
}

const seconds = (ms: number): number => Math.round(ms / 1_000);

const canCompare = ({ result, tests }: RanCheck): boolean =>
  result === "passed" || (result === "failed" && (tests?.passed.length ?? 0) > 0);

/** Fails without the tests before it, and does not on the base: the work keeps count of what it is asked. */
async function dependsOnOthers(input: ControlInput): Promise<boolean> {
  const { alone, budgetMs, run, tell } = input;
  if (!alone?.onBase) return false;
  tell(`planted mistake: ${alone.what} alone`);
  const { result } = await run("work", alone.edits, budgetMs);
  return (
    result === "failed" &&
    (await input.base()).result === "passed" &&
    (await run("base", alone.onBase, budgetMs)).result === "passed"
  );
}
