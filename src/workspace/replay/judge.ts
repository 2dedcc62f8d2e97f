// What the ends of recorded and repeated calls mean. Pure.
import { type Call, nameOf, type RecordedCall } from "./calls.ts";
import { type End, endKey, type Folders, sameToTheLetter, type Value } from "./ends.ts";
import { isMissing, type Played, type PlayedCall } from "./played.ts";
import { showCall, showEnd } from "./show.ts";

export interface Compared {
  readonly i: number;
  readonly call: RecordedCall;
  readonly near: PlayedCall | undefined;
  readonly base: PlayedCall | undefined;
  /** In another bare process. */
  readonly other: PlayedCall | undefined;
  /** Why its file could not be loaded outside of the tests. */
  readonly failed?: string | undefined;
}

export type Outcome =
  /** The same outside of the tests. */
  | "same"
  /** Another result outside, and nothing but the tests' own runner explains it. */
  | "outside"
  /** Another result outside and in the runner: a test had set something up for it, or chance decides. */
  | "set_up"
  /** A missing file or service outside, and the recorded result in the runner, where no test had set anything up. */
  | "runner_only"
  /** Another result outside, and the same other one in the runner, where no test had set anything up: the work needs what
   * its tests do before, and the base commit does not. */
  | "needs"
  /** Another result each time. */
  | "unsteady"
  /** No result: it could not be called. */
  | "lost";

const sameEnd = (a: End, b: End, folders: Folders): boolean => endKey(a, folders) === endKey(b, folders);

const unordered = (value: Value): Value => {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value))
    return value.map(unordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unordered(one)]));
};
const sameLoosely = (a: End, b: End, folders: Folders): boolean =>
  "r" in a && "r" in b ? sameEnd({ r: unordered(a.r) }, { r: unordered(b.r) }, folders) : sameEnd(a, b, folders);

/** The base commit gives outside what was recorded: the work alone made the difference. */
const isSettled = ({ call, base }: Compared, folders: Folders, same = sameEnd): boolean =>
  base !== undefined && !base.varies && same(base.end, call.end, folders);

/** The same end by another text of an error, another order of keys or other output, where the base commit has none. */
const isOtherInDetail = (one: Compared, folders: Folders): boolean =>
  one.near !== undefined &&
  !sameToTheLetter(one.near.end, one.call.end, folders) &&
  isSettled(one, folders, sameToTheLetter);

export function outcomeOf(one: Compared, inside: PlayedCall | undefined, folders: Folders): Outcome {
  const { call, near, other } = one;
  if (!near) return one.failed !== undefined && isSettled(one, folders) ? "outside" : "lost";
  if (!near.varies && sameEnd(near.end, call.end, folders) && !isOtherInDetail(one, folders)) return "same";
  if (isSettled(one, folders)) return alikeInside(one, inside, folders) ? "needs" : "outside";
  const asInside = inside && !inside.varies && sameEnd(inside.end, call.end, folders);
  if (asInside && isMissing(near.end)) return lacksOnBase(one) ? "set_up" : "runner_only";
  if (asInside) return "outside";
  if (near.varies) return "unsteady";
  if (isMissing(near.end)) return "set_up";
  // The time, an id: two processes outside differ from each other too.
  return other && sameEnd(other.end, near.end, folders) ? "set_up" : "unsteady";
}

function alikeInside(one: Compared, inside: PlayedCall | undefined, folders: Folders): boolean {
  const { near } = one;
  if (!near || near.varies || !inside || inside.varies) return false;
  const same = sameEnd(near.end, one.call.end, folders) ? sameToTheLetter : sameEnd;
  return same(inside.end, near.end, folders);
}

/** The base commit has the same lack outside: it is no doing of the work. */
const lacksOnBase = ({ base }: Compared): boolean => base !== undefined && isMissing(base.end);

/** Calls for which the comparison inside the runner decides. */
export const asksInside = (one: Compared, folders: Folders): boolean =>
  one.near !== undefined &&
  (one.near.varies || !sameEnd(one.near.end, one.call.end, folders) || isOtherInDetail(one, folders)) &&
  !lacksOnBase(one);

/** No result, where the base commit gives the recorded one. */
export const isSilent = (one: Compared, folders: Folders): boolean =>
  one.near === undefined && one.failed === undefined && isSettled(one, folders);

export const placeOf = ({ m, f }: Pick<Call, "m" | "f">): string => `${f} in ${m}`;

export function stopText(one: Compared, folders: Folders): string {
  const { call, near, base } = one;
  const before = base && isSettled(one, folders) ? `; on the base commit it gives ${showEnd(base.end)} there too` : "";
  const outside = near ? showEnd(near.end) : `nothing (${one.failed ?? "it did not end"})`;
  return `${showCall(call)} of ${call.m} gives ${showEnd(call.end)} under the tests and ${outside} in a plain process without them${before}`;
}

/** A way in which the far process differs, for the search after the one that matters. */
export interface Turn {
  readonly label: string;
  /** `where the clock is 410 days ahead`. */
  readonly where: string;
  /** A difference by it alone stops the work where the base commit has none. */
  readonly hard: boolean;
  /** The order of lists does not count: Python's sets are ordered by the seed for hashes. */
  readonly loose?: true;
}

export interface FarDifference {
  readonly call: RecordedCall;
  readonly end: End;
  readonly where: string;
  readonly hard: boolean;
  readonly label: string;
}

interface FarCalls {
  readonly calls: readonly { readonly i: number; readonly call: RecordedCall }[];
  readonly turns: readonly Turn[];
  readonly work: ReadonlyMap<string, Played>;
  readonly base: ReadonlyMap<string, Played>;
  readonly folders: Folders;
}

/** The first difference of each function. Results that need a file or a service of the tests do not count. */
export function farDifferences({ calls, turns, work, base, folders }: FarCalls): FarDifference[] {
  const found = new Map<string, FarDifference>();
  for (const { i, call } of calls)
    for (const { label, where, hard, loose } of turns) {
      const [now, before] = [work.get(label)?.ends.get(i), base.get(label)?.ends.get(i)];
      const same = loose ? sameLoosely : sameEnd;
      if (!now || now.varies || isMissing(now.end) || same(now.end, call.end, folders)) continue;
      if (found.has(nameOf(call))) continue;
      const settled = before !== undefined && !before.varies && same(before.end, call.end, folders);
      found.set(nameOf(call), { call, end: now.end, where, hard: hard && settled, label });
    }
  return [...found.values()];
}

export const farText = ({ call, end, where }: FarDifference): string =>
  `${showCall(call)} gives ${showEnd(call.end)} under the tests and ${showEnd(end)} ${where}`;
