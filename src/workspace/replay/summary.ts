// What a replay found, as counts and doubts. Pure.
import type { Doubt } from "../../core/contract/index.ts";
import { nameOf, type Recorded, type RecordedCall } from "./calls.ts";
import { type Compared, placeOf, stopText } from "./judge.ts";
import { judgeNeighbours, type Neighbour } from "./neighbours.ts";
import type { Played } from "./played.ts";
import { showEnd } from "./show.ts";

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
    unrecorded: known.filter((name) => !called.has(name)).slice(0, 40),
  };
}

/** A function of which no call at all could be repeated, although each was written down. */
export function setUpDoubts(
  compared: readonly Compared[],
  outcomes: readonly string[],
  before: ReadonlySet<string>,
): Doubt[] {
  const byFunction = Map.groupBy(compared, ({ call }) => nameOf(call));
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
  const changed = tried.filter((one) => one.base && JSON.stringify(one.base) !== JSON.stringify(one.work)).length;
  return { tried: tried.length, changed, doubts };
}
