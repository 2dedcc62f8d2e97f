// What callers can tell of a result and its value does not show: a promise instead of the value, the caller's own argument
// instead of another object, a frozen object, a text instead of a number. Tests that wait for either, or compare loosely, do not
// see it. Pure.
import type { Doubt } from "../../core/contract/index.ts";
import { type LoadedModule, nameOf } from "./calls.ts";
import type { End } from "./ends.ts";
import { type Compared, type Outcome, placeOf } from "./judge.ts";
import type { Played } from "./played.ts";
import { showCall, showEnd } from "./show.ts";

const later = /^a (?:promise|coroutine)$/;

interface Difference {
  readonly now: string;
  readonly before: string;
  /** A changed test may ask for it. */
  readonly isOpen: boolean;
}

function formOf({ near, base }: Compared): Difference | null {
  if (!near || !base || near.varies || base.varies || !("r" in near.end) || !("r" in base.end)) return null;
  const [now, before] = [near.form ?? [], base.form ?? []];
  const isLater = now.some((one) => later.test(one));
  if (isLater !== before.some((one) => later.test(one)))
    return isLater
      ? { now: now.join(", "), before: "the value itself", isOpen: true }
      : { now: "the value itself", before: before.join(", "), isOpen: true };
  const more = now.filter((one) => !before.includes(one));
  if (more.length > 0)
    return { now: more.join(", "), before: "another object, which can be changed apart from it", isOpen: false };
  return kindOf(near.end, base.end);
}

const plain = new Set(["number", "string", "boolean"]);

function kindOf(near: End, base: End): Difference | null {
  if (!("r" in near) || !("r" in base)) return null;
  const [now, before] = [typeof near.r, typeof base.r];
  // Other values are what tests look at.
  if (now === before || !plain.has(now) || !plain.has(before) || String(near.r) !== String(base.r)) return null;
  return { now: `the ${now} ${showEnd(near)}`, before: `the ${before} ${showEnd(base)}`, isOpen: true };
}

/** One doubt for each function. `hasOtherTests`: the work changes tests of the base commit, which may ask for another form. */
export function formDoubts(
  compared: readonly Compared[],
  outcomes: readonly Outcome[],
  hasOtherTests: boolean,
): Doubt[] {
  const steady = compared.filter((_, at) => outcomes[at] === "same");
  return [...Map.groupBy(steady, ({ call }) => nameOf(call)).values()].flatMap((own): Doubt[] => {
    for (const one of own) {
      const found = formOf(one);
      if (found === null || (found.isOpen && hasOtherTests)) continue;
      const measure = `${showCall(one.call)} gives ${found.now}, and on the base commit ${found.before}; no test sees it`;
      return [{ kind: "replay", place: placeOf(one.call), measure }];
    }
    return [];
  });
}

const slowMs = 50;
const slower = 10;
/** Shorter times are not reported. */
const shortMs = 5;

/** Each call of a function takes far longer than on the base commit. The least of several times was taken. */
export function slowDoubts(compared: readonly Compared[], outcomes: readonly Outcome[]): Doubt[] {
  const steady = compared.filter((_, at) => outcomes[at] === "same");
  return [...Map.groupBy(steady, ({ call }) => nameOf(call)).values()].flatMap((own): Doubt[] => {
    const [one] = own;
    const isSlow = ({ near, base }: Compared) =>
      base !== undefined && (near?.ms ?? 0) >= Math.max(slowMs, slower * (base.ms ?? shortMs));
    if (!one?.near?.ms || !own.every(isSlow)) return [];
    const before = one.base?.ms === undefined ? `less than ${shortMs} ms` : `${one.base.ms} ms`;
    const measure = `${showCall(one.call)} takes ${one.near.ms} ms, and on the base commit ${before}; so does each of its ${own.length} recorded calls`;
    return [{ kind: "replay", place: placeOf(one.call), measure }];
  });
}

/** What the calls change for every other part of the program, and on the base commit do not. */
export function leftDoubts(
  modules: readonly LoadedModule[],
  work: Played | undefined,
  base: Played | undefined,
): Doubt[] {
  const names = (work?.left ?? []).filter((name) => !base?.left.includes(name));
  if (names.length === 0) return [];
  const place = modules
    .map(({ file }) => file)
    .join(", ")
    .slice(0, 300);
  const measure = `it changes ${names.join(", ")} for the whole program that loads it`;
  return [{ kind: "replay", place, measure }];
}

/** Calls that give another result when others are begun at the same time, and on the base commit do not. */
export function mixedDoubts(
  compared: readonly Compared[],
  work: Played | undefined,
  base: Played | undefined,
): Doubt[] {
  const mixed = compared.filter(({ i }) => work?.mixed.has(i) && base?.ends.has(i) && !base.mixed.has(i));
  const [one] = mixed;
  const end = one && work?.mixed.get(one.i);
  if (!one || !end) return [];
  const measure = `${showCall(one.call)} gives ${showEnd(one.call.end)}, and ${showEnd(end)} when other calls are begun at the same time; on the base commit it stays the same`;
  return [{ kind: "replay", place: placeOf(one.call), measure }];
}
