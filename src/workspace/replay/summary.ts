// What a replay found, as counts and doubts. Pure.
import type { Doubt } from "../../core/contract/index.ts";
import { isValue, nameOf, type Recorded, type RecordedCall } from "./calls.ts";
import { type Compared, type Outcome, placeOf, stopText } from "./judge.ts";
import { judgeNeighbours } from "./neighbour-doubts.ts";
import type { Neighbour } from "./neighbours.ts";
import { endKey, type Folders, sameToTheLetter } from "./ends.ts";
import type { Played } from "./played.ts";
import { showCall, showEnd } from "./show.ts";

export const zero = {
  functions: 0,
  recorded: 0,
  same: 0,
  setUp: 0,
  unsteady: 0,
  lost: 0,
  neighbours: 0,
  changed: 0,
  unrecorded: [],
  doubts: [],
} as const;

interface Counted {
  readonly recorded: Recorded;
  readonly calls: readonly RecordedCall[];
  readonly unsteady: number;
}

export function countsOf({ recorded, calls, unsteady }: Counted) {
  const known = [...recorded.known];
  const called = new Set(calls.map(nameOf));
  return {
    ...zero,
    functions: known.length,
    recorded: calls.length,
    unsteady,
    lost: [...recorded.lost.values()].reduce((sum, one) => sum + one, 0),
    unrecorded: known.filter((name) => !called.has(name)).slice(0, mostNamed),
  };
}

const holdsLost = ({ call }: Compared): boolean => JSON.stringify(call.end).includes('{"$":"lost"');

/** The counts with what became of each call. A result that cannot be written down as a whole was not compared. */
export function withOutcomes(
  counts: ReturnType<typeof countsOf>,
  outcomes: readonly Outcome[],
  compared: readonly Compared[],
) {
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  const partly = compared.filter((one, at) => outcomes[at] === "same" && holdsLost(one)).length;
  return {
    ...counts,
    same: count("same") - partly,
    setUp: count("set_up") + count("runner_only") + count("needs"),
    unsteady: counts.unsteady + count("unsteady"),
    lost: counts.lost + count("lost") + partly,
  };
}

/** Functions that a module exports and that have no recorder, such as those behind `export let`: named, not forgotten. */
export function withExports(
  counts: ReturnType<typeof countsOf>,
  known: ReadonlySet<string>,
  exports: Played["exports"] | undefined,
) {
  const names = [...(exports ?? [])].flatMap(([m, all]) => all.map((f) => ({ m, f })));
  // A class is known by its constructor or by its members.
  const isKnown = ({ m, f }: { readonly m: string; readonly f: string }) =>
    known.has(nameOf({ m, f })) ||
    known.has(nameOf({ m, f: `new ${f}` })) ||
    [...known].some((name) => name.startsWith(`${m} ${f}.`)) ||
    ((f === "default" || f === "module.exports") && [...known].some((name) => name.startsWith(`${m} `)));
  const more = names.filter((one) => !isKnown(one)).map(nameOf);
  return {
    ...counts,
    functions: counts.functions + more.length,
    unrecorded: [...counts.unrecorded, ...more].slice(0, mostNamed),
  };
}

const mostNamed = 40;

/** A function of which no call at all could be repeated, although each was written down. */
export function setUpDoubts(
  compared: readonly Compared[],
  outcomes: readonly string[],
  before: ReadonlySet<string>,
): Doubt[] {
  // What other modules add to an exported object is no setting up.
  const calls = compared.filter(({ call }) => !isValue(call));
  const byFunction = Map.groupBy(calls, ({ call }) => nameOf(call));
  return [...byFunction.values()].flatMap((own) => {
    const [one] = own;
    // A base commit that gives other results outside as well shows that tests set something up.
    const explained = own.some(({ call, base }) => before.has(call.m) && base !== undefined);
    const odd = own.filter(({ i }) => outcomes[i] === "set_up");
    const strange = odd.find(({ near }) => near !== undefined && "r" in near.end);
    if (!one || explained || odd.length < own.length || !strange?.near) return [];
    const measure = `none of its ${own.length} recorded calls gives the same outside of the tests: ${stopText(strange, [])}`;
    return [{ kind: "replay" as const, place: placeOf(one.call), measure }];
  });
}

/** A function that works only after what tests set up, where the base commit's works without it. */
export function needsDoubts(compared: readonly Compared[], outcomes: readonly string[], folders: Folders): Doubt[] {
  const needing = compared.filter((_, at) => outcomes[at] === "needs");
  return [...Map.groupBy(needing, ({ call }) => nameOf(call)).values()].flatMap((own): Doubt[] => {
    const [one] = own;
    const measure = one ? `${stopText(one, folders)}; it needs what the tests set up before` : "";
    return one ? [{ kind: "replay", place: placeOf(one.call), measure }] : [];
  });
}

/** A result that all callers share, where on the base commit each is given one of its own. */
export function sharedDoubts(compared: readonly Compared[]): Doubt[] {
  const shared = compared.filter(
    ({ near, base }) => near?.shared && base && !base.shared && !base.varies && endKey(near.end) === endKey(base.end),
  );
  return [...Map.groupBy(shared, ({ call }) => nameOf(call)).values()].flatMap((own): Doubt[] => {
    const [one] = own;
    const measure = one
      ? `${showCall(one.call)} gives the same object each time, so that who changes it changes what the next one is given; on the base commit each is given one of its own`
      : "";
    return one ? [{ kind: "replay", place: placeOf(one.call), measure }] : [];
  });
}

/** A function that lacks something only outside of the tests' runner, and the file of one that cannot be loaded there. */
export function runnerDoubts(
  compared: readonly Compared[],
  outcomes: readonly string[],
  before: ReadonlySet<string>,
  lacking: readonly LackingModule[],
): Doubt[] {
  const only = compared.filter((_, at) => outcomes[at] === "runner_only");
  const byFunction = [...Map.groupBy(only, ({ call }) => nameOf(call)).values()].flatMap((own): Doubt[] => {
    const [one] = own;
    const measure = one
      ? `${stopText(one, [])}; in the tests' runner it gives the recorded result without a test around it`
      : "";
    return one ? [{ kind: "replay", place: placeOf(one.call), measure }] : [];
  });
  // Where modules of the base commit cannot be loaded either, the project needs its runner for that.
  if (lacking.some(({ file }) => before.has(file))) return byFunction;
  const files = lacking.flatMap(({ file, why }): Doubt[] => {
    const calls = compared.filter(({ call }) => call.m === file).length;
    const measure = `it cannot be loaded outside of the tests (${why}), so none of its ${calls} recorded calls could be made there`;
    return calls === 0 || isMissingModule(why) ? [] : [{ kind: "replay", place: file, measure }];
  });
  return [...byFunction, ...files];
}

export interface LackingModule {
  readonly file: string;
  readonly why: string;
}

/** A bundler or a runner finds modules that a plain process does not find, and reads syntax that it does not read. */
const isMissingModule = (why: string): boolean =>
  /Cannot find (?:module|package)|Unknown file extension|^(?:ModuleNotFoundError|SyntaxError)\b/.test(why);

/** The process ended or was ended before it said anything about these calls: nothing is known about them. */
export const unanswered = <C extends { readonly i: number }>(calls: readonly C[], played: Played | undefined): C[] =>
  played?.done ? [] : calls.filter(({ i }) => i > (played?.last ?? -1));

export function unplayedDoubts(calls: readonly RecordedCall[], without: readonly RecordedCall[]): Doubt[] {
  return [...Map.groupBy(without, nameOf)].flatMap(([name, own]) => {
    const [one] = own;
    const all = calls.filter((call) => nameOf(call) === name).length;
    const measure = `${own.length} of its ${all} recorded calls came to no end outside of the tests, twice; the first: ${one ? showCall(one) : ""}`;
    return one ? [{ kind: "replay" as const, place: placeOf(one), measure }] : [];
  });
}

/** Neighbours of each function, on the work and on the base commit. */
export function besides(
  compared: readonly Compared[],
  near: readonly Neighbour[],
  offset: number,
  work: Played | undefined,
  base: Played | undefined,
) {
  const tried = near.flatMap((call, at) => {
    const now = work?.ends.get(offset + at);
    const old = base?.ends.get(offset + at);
    if (!now || now.varies || old?.varies) return [];
    return [{ call, work: now.end, base: old?.end }];
  });
  const byFunction = Map.groupBy(tried, ({ call }) => nameOf(call));
  const doubts = [...byFunction].flatMap(([name, own]) => {
    const recorded = compared
      .filter(({ call }) => nameOf(call) === name)
      .map(({ call, base: old }) => ({ call, base: old?.varies ? undefined : old?.end }));
    const doubt = judgeNeighbours(recorded, own, showEnd);
    return doubt ? [{ kind: "neighbours" as const, place: placeOf(doubt), measure: doubt.measure }] : [];
  });
  const changed = tried.filter((one) => one.base && !sameToTheLetter(one.base, one.work)).length;
  return { tried: tried.length, changed, doubts };
}
