// How checks and agents were run, in words: the measure of a check that a claim rests on (B-9), and the programs that ran
// without a sandbox.
import type { CheckControl, CheckEvidence } from "../../contract/index.ts";
import type { CheckComparison } from "./check-comparison.ts";
import type { Run } from "../state/index.ts";

function ranAs(evidence: CheckEvidence): string {
  const { variant, result, exitCode, testsRun, reported, sandbox, control } = evidence;
  const exit = exitCode === null ? result.replaceAll("_", " ") : `exit ${exitCode}`;
  const failed = reported && reported.failed > 0 ? `, ${reported.failed} failed` : "";
  const ran = testsRun === null ? failed : `, ${counted(testsRun, "test")}${failed}`;
  const rules = variant === "guarded" ? ", with the old tests" : "";
  return `${exit}${ran}${rules}${repeated(evidence)}${controlled(control)}${replayed(evidence)}, sandbox ${sandbox}`;
}

function repeated({ repeats, idleTests, unsteady }: CheckEvidence): string {
  const times = repeats ? `, passed ${repeats.passed} of ${repeats.ran} (${repeats.why})${unvaried(repeats)}` : "";
  const idle = idleTests ? `, new tests that prove nothing new: ${idleTests.join(", ")}` : "";
  return times + idle + (unsteady ? `, ${unsteadyText(unsteady)}` : "");
}

/** `adds: failed in 1 of 3 runs here and in 1 of 4 on the base commit`. */
export function unsteadyText({ tests, ran, failed, base }: NonNullable<CheckEvidence["unsteady"]>): string {
  const there = base.ran === 0 ? "" : ` here and in ${base.failed} of ${base.ran} on the base commit`;
  return `${tests.join(", ")} failed in ${failed} of ${ran} runs${there}`;
}

const unvaried = ({ same }: NonNullable<CheckEvidence["repeats"]>): string =>
  same === undefined ? "" : `, and ${same}, which was the same each time`;

/** What the check noticed of the mistakes that were planted, in a few words (B-6). */
function controlled(control: CheckEvidence["control"]): string {
  if (control === undefined) return "";
  if (control === "off") return ", no mistakes planted (turned off by the user's policy)";
  const canary = plantedIn(control);
  const left = control.planned - control.ran - (control.canary === "none" ? 0 : 1);
  const rest = left > 0 ? ` (${left} more not tried within ${Math.ceil(control.budgetMs / 1_000)} s)` : "";
  const tried =
    control.ran === 0
      ? "no mistake planted"
      : `noticed ${control.noticed} of ${counted(control.ran, "planted mistake")}`;
  const limited = control.limitedTo === undefined ? "" : ` with ${counted(control.limitedTo, "test file")} only`;
  return `${canary}, ${tried}${limited}${rest}`;
}

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

const canaryText = {
  noticed: "noticed a failing test",
  unnoticed: "did not notice a failing test",
} as const;

/** Failures planted in the test files that read the change: how many of them noticed theirs. */
function plantedIn({ canary, planted }: CheckControl): string {
  if (planted === undefined) return canary === "none" ? "" : `, ${canaryText[canary]}`;
  const { tried, noticed, unnoticed = [], untried = 0 } = planted;
  const not = unnoticed.length > 0 ? ` (not in ${unnoticed.join(", ")})` : "";
  const left = untried > 0 ? `, ${untried} more not tried for lack of time` : "";
  return `, noticed wrong expectations in ${noticed} of ${counted(tried, "test file")}${not}${left}`;
}

/** The calls that were made again outside of the check (B-25). */
function replayed({ replay }: CheckEvidence): string {
  if (replay === undefined) return "";
  if (replay.skipped !== undefined) return `, no call replayed (${replay.skipped})`;
  const { recorded, same, functions, setUp, unsteady, lost, unrecorded, neighbours, changed } = replay;
  const left = [
    ...(setUp > 0 ? [`${setUp} need what a test set up`] : []),
    ...(unsteady > 0 ? [`${unsteady} give another result each time`] : []),
    ...(lost > 0 ? [`${lost} cannot be repeated`] : []),
    ...(unrecorded.length > 0 ? [`${unrecorded.length} of ${functions} functions without a call`] : []),
    ...(neighbours > 0 ? [`${changed} of ${neighbours} neighbours changed against the base`] : []),
  ];
  const more = left.length > 0 ? ` (${left.join(", ")})` : "";
  return recorded === 0
    ? `, no call replayed${more}`
    : `, ${same} of ${recorded} recorded calls the same outside of the tests${more}`;
}

/** Tests were to be tried on broken source, and the time for it was over before. */
function wasCutShort({ kind, variant, control }: CheckEvidence): boolean {
  if (!control || control === "off" || variant !== "patched" || control.functions) return false;
  if (kind !== "test" && kind !== "other") return false;
  return control.planned - control.ran - (control.canary === "none" ? 0 : 1) > 0;
}

export interface Reach {
  /** Wrong values planted in the changed code, and those that a check noticed. */
  readonly ran: number;
  readonly noticed: number;
  /** The changed functions of which a check noticed a wrong value, and all of them. */
  readonly functions: { readonly reached: number; readonly all: number };
  /** Changed functions and files that were broken, and no check noticed it. */
  readonly unreached: readonly string[];
  /** Changed functions and files without a result, as text. */
  readonly unmeasured: string | null;
  /** The changed source holds the values of the tests, as text. */
  readonly known: string | null;
  /** A change that means nothing makes a check fail, as text. */
  readonly touchy: string | null;
}

/** Fewer mistakes noticed than this share of those tried: the checks reach too little of the change. */
const leastNoticed = 0.5;
const leastTried = 4;

export const isTooFew = ({ ran, noticed }: Pick<Reach, "ran" | "noticed">): boolean =>
  ran >= leastTried && noticed < ran * leastNoticed;

interface FunctionReach {
  readonly place: string;
  readonly tried: number;
  readonly noticed: number;
  /** Only errors and missing values are noticed. */
  readonly crudely?: boolean | undefined;
}

/** A function that several checks were tried on, once. */
function functionsOf(controls: readonly CheckControl[]): FunctionReach[] {
  const byPlace = new Map<string, FunctionReach>();
  for (const one of controls.flatMap(({ functions = [] }) => functions)) {
    const known = byPlace.get(one.place) ?? { place: one.place, tried: 0, noticed: 0, crudely: true };
    const crudely = known.crudely === true && (one.crudely === true || one.noticed === 0);
    byPlace.set(one.place, {
      place: one.place,
      tried: known.tried + one.tried,
      noticed: known.noticed + one.noticed,
      crudely,
    });
  }
  return [...byPlace.values()];
}

/** The tries of one check that count: those under the tests that the work leaves behind, else those under the old ones. */
export const countedControl = (after: readonly CheckEvidence[]): CheckControl | undefined =>
  after
    .toSorted((one, other) => Number(other.variant === "patched") - Number(one.variant === "patched"))
    .flatMap(({ control }) => (control && control !== "off" && control.reachRan > 0 ? [control] : []))[0];

function mistakesIn(all: readonly Pick<CheckComparison, "after">[]): Pick<Reach, "ran" | "noticed"> {
  const tries = all.flatMap(({ after }) => countedControl(after) ?? []);
  const sum = (of: "reachRan" | "reachNoticed") => tries.reduce((total, one) => total + one[of], 0);
  return { ran: sum("reachRan"), noticed: sum("reachNoticed") };
}

/** What the checks notice of the changed source when it is broken; null where there was nothing to break. */
export function reachesChange(all: readonly Pick<CheckComparison, "after">[]): Reach | null {
  const controls = all.flatMap(({ after }) =>
    after.flatMap(({ control }) => (control && control !== "off" ? [control] : [])),
  );
  const functions = functionsOf(controls);
  const byFile = controls.filter((one) => one.functions === undefined);
  const { ran, noticed } = mistakesIn(all);
  const reached = new Set(byFile.flatMap(({ reachedFiles = [] }) => reachedFiles));
  const tried = new Set(byFile.flatMap(({ triedFiles = [] }) => triedFiles));
  const left = all.some(({ after }) => after.some(wasCutShort));
  const unmeasured = unmeasuredOf(controls, tried, functions);
  if (ran === 0 && !left && unmeasured === null) return null;
  const unreached = [
    ...functions.filter((one) => one.tried > 0 && (one.noticed === 0 || one.crudely)).map(({ place }) => place),
    ...[...tried].filter((path) => !reached.has(path)).toSorted(),
  ];
  return {
    ran,
    noticed,
    functions: { reached: functions.filter((one) => one.noticed > 0 && !one.crudely).length, all: functions.length },
    unreached,
    unmeasured,
    known: all.flatMap(({ after }) => after.flatMap(knownIn))[0] ?? null,
    touchy: controls.find(({ touchy }) => touchy)?.touchy ?? null,
  };
}

/** So many calls with other arguments show whether a table holds more than the values of the tests. */
const leastNeighbours = 6;

function knownIn({ control, replay }: CheckEvidence): string[] {
  if (!control || control === "off" || control.known === undefined) return [];
  const isJudged = control.knownWider === true && (replay?.neighbours ?? 0) >= leastNeighbours;
  return isJudged ? [] : [control.known];
}

function unmeasuredOf(
  controls: readonly CheckControl[],
  tried: ReadonlySet<string>,
  functions: readonly FunctionReach[],
): string | null {
  const named = new Set(controls.flatMap(({ untriedFiles = [] }) => untriedFiles));
  const paths = [
    ...functions.filter((one) => one.tried === 0).map(({ place }) => place),
    ...[...named].filter((path) => !tried.has(path)).toSorted(),
  ];
  const most = Math.max(
    0,
    ...controls.map(
      ({ untried = 0, untriedFiles = [], moreFunctions = 0 }) => untried - untriedFiles.length + moreFunctions,
    ),
  );
  if (paths.length === 0 && most === 0) return null;
  return `${paths.join(", ")}${most > 0 ? ` and ${most} more` : ""}`;
}

/** The measure of a claim about reach. */
export function reachMeasure({ ran, noticed, functions }: Reach): string {
  if (ran === 0) return "no mistake in the changed lines was tried in the time for it";
  const part = functions.all === 0 ? "" : `, in ${functions.reached} of ${functions.all} changed functions`;
  return `${noticed} of ${counted(ran, "mistake")} planted in the changed lines ${ran === 1 ? "was" : "were"} noticed${part}`;
}

export function checkMeasure({ before, after }: Pick<CheckComparison, "before" | "after">): string {
  const now = after.length === 0 ? "not run on this tree" : after.map(ranAs).join(" and ");
  const same = before !== undefined && after.length === 1 && after[0] === before;
  return before && !same ? `before: ${ranAs(before)}; now: ${now}` : now;
}

/** A sentence for the first line, or null where a sandbox held every program, or none was run. */
export function unconfined(run: Run): string | null {
  const agents = run.calls.flatMap(({ result }) => result?.sandbox ?? []);
  const commands = [
    ...run.passes.flatMap(({ checks }) => checks.map(({ sandbox }) => sandbox)),
    ...run.side.tasks.flatMap(({ command }) => (command ? [command.sandbox] : [])),
  ];
  const parts = [...share(commands, "commands"), ...share(agents, "calls of agent programs")];
  if (parts.length === 0) return null;
  return `Nothing confined this work: ${parts.join(" and ")} ran without a sandbox, with your own rights. What they report is only as good as the code that they ran.`;
}

function share(used: readonly string[], what: string): string[] {
  // A command is recorded with the reason beside it: `none: bubblewrap (bwrap) is not installed …`.
  const open = used.filter((sandbox) => /^none(?::|$)/.test(sandbox)).length;
  return open === 0 ? [] : [`${open} of ${used.length} ${what}`];
}
