// Calls with arguments near the recorded ones, and with values that code often forgets. Pure.
import { argumentsOf, type Call, isValue, nameOf, type RecordedCall } from "./calls.ts";
import type { Value } from "./ends.ts";
import { isTagged, leafValues, nearValues, oddValues } from "./near-values.ts";

export interface Neighbour extends Call {
  /** The kind of the changed argument. */
  readonly near: "number" | "text" | "other";
  /** Far from what the tests use: it is compared with the base commit, and shows nothing alone. */
  readonly odd?: true;
  /** A value that the changed source names, or leaves to its caller: one that differs is enough. */
  readonly named?: true;
  /** The field that it has more. */
  readonly field?: string;
  /** It has an argument more. */
  readonly more?: true;
  /** Its object is made again: of other values, or of the same ones, which shows whether both commits make it alike. */
  readonly made?: "other" | "same";
  /** The arguments of the recorded call, where the kinds of its own are others. */
  readonly from?: readonly Value[];
}

const mostOfOne = 60;
const mostOfAll = 240;
const mostOddOfOne = 90;
const mostOddOfAll = 360;

/** So many values in the fields of one argument. */
const mostWithin = 24;

const kindOf = (value: Value): Neighbour["near"] =>
  typeof value === "number" || (isTagged(value) && (value as { $: Value }).$ === "float")
    ? "number"
    : typeof value === "string"
      ? "text"
      : "other";

/** Values that the changed source names, by kind. */
export interface Named {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly fields?: readonly string[];
}

export const nothingNamed: Named = { numbers: [], texts: [] };

const instead = (call: RecordedCall, find: (value: Value) => readonly Value[]): Neighbour[] => {
  const { end: _, ...plain } = call;
  const given = call.a.flatMap((value, at) =>
    find(value).map((near) => ({ ...plain, a: call.a.with(at, near), near: kindOf(value) })),
  );
  const named = Object.entries(call.k ?? {}).flatMap(([name, value]) =>
    find(value).map((near) => ({ ...plain, k: { ...call.k, [name]: near }, near: kindOf(value) })),
  );
  return [...given, ...named, ...ofGiving(call, find), ...ofMaking(call, find)];
};

/** All arguments that are numbers at once: a condition may ask for two of them. */
function together(call: RecordedCall, find: (value: number) => readonly Value[]): Neighbour[] {
  const { end: _, ...plain } = call;
  if (call.a.filter((value) => typeof value === "number").length < 2) return [];
  const all = call.a.map((value) => (typeof value === "number" ? find(value) : [value]));
  const count = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: count }, (_one, at) => ({
    ...plain,
    a: all.map((values, of) => values[Math.min(at, values.length - 1)] ?? call.a[of] ?? null),
    near: "number" as const,
  }));
}

/** The call that gave what is called, with other arguments. */
function ofGiving(call: RecordedCall, find: (value: Value) => readonly Value[]): Neighbour[] {
  const { end: _, o, ...plain } = call;
  if (!o || !("y" in o)) return [];
  return o.y.a.flatMap((value, at) =>
    find(value).map((near) => ({
      ...plain,
      o: { ...o, y: { ...o.y, a: o.y.a.with(at, near) } },
      near: kindOf(value),
    })),
  );
}

/** A call of an object that is made of other values. Its fields stay what its class makes of them. */
function ofMaking(call: RecordedCall, find: (value: Value) => readonly Value[]): Neighbour[] {
  const { end: _, o, ...plain } = call;
  const made = o && "s" in o ? o.made : o && "c" in o ? o : undefined;
  if (!made) return [];
  const as = (c: readonly Value[]) => ({ ...(o?.n === undefined ? {} : { n: o.n }), c, h: made.h });
  const same = { ...plain, o: as(made.c), near: "other" as const, odd: true as const, made: "same" as const };
  const others = made.c.flatMap((value, at) =>
    find(value).map((near) => ({
      ...plain,
      o: as(made.c.with(at, near)),
      near: kindOf(value),
      made: "other" as const,
    })),
  );
  return others.length === 0 ? [] : [same, ...others];
}

const given: readonly Value[] = [true, 2, "a"];

/** With a field more that the source names, and without one that it has. */
function otherFields(call: RecordedCall, fields: readonly string[]): Neighbour[] {
  const { end: _, ...plain } = call;
  return call.a.flatMap((value, at): Neighbour[] => {
    if (value === null || typeof value !== "object" || Array.isArray(value) || isTagged(value)) return [];
    const own = value as Readonly<Record<string, Value>>;
    const more = fields
      .filter((name) => !(name in own))
      .flatMap((name) => given.map((one) => ({ field: name, value: { ...own, [name]: one } })));
    const less = Object.keys(own)
      .slice(0, 4)
      .map((name) => ({ field: name, value: Object.fromEntries(Object.entries(own).filter(([key]) => key !== name)) }));
    return [...more, ...less].map(({ field, value: other }) => ({
      ...plain,
      a: call.a.with(at, other),
      near: "other",
      odd: true,
      field,
      from: call.a,
    }));
  });
}

/** Optional arguments that no test gives. */
function oneMore(call: RecordedCall): Neighbour[] {
  const { end: _, ...plain } = call;
  return given.map((one) => ({ ...plain, a: [...call.a, one], near: "other", odd: true, more: true, from: call.a }));
}

function nearTo(call: RecordedCall): Neighbour[] {
  const { end: _, ...plain } = call;
  const [first = null, second = null, ...rest] = call.a;
  const swaps = call.a.length > 1 && typeof first === typeof second;
  return [
    ...instead(call, nearValues),
    ...instead(call, leafValues),
    ...together(call, (value) => nearValues(value).slice(2)),
    ...(swaps ? [{ ...plain, a: [second, first, ...rest], near: kindOf(first) }] : []),
  ];
}

/** The longest of the odd values of a text or a list. */
function longOf(value: Value): Value {
  const sizeOf = (one: Value): number => (typeof one === "string" || Array.isArray(one) ? one.length : 0);
  return oddValues(value).reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most), value);
}

/** Values that the source names, and those that code often forgets. */
function farFrom(call: RecordedCall, { numbers, texts, fields = [] }: Named): Neighbour[] {
  const { end: _, ...plain } = call;
  // What a condition compares with, and what is above it.
  const limits = numbers.flatMap((one) => [one, one + 1]);
  const namedFor = (value: Value) => (typeof value === "number" ? limits : typeof value === "string" ? texts : []);
  const single = instead(call, namedFor);
  // Also in the fields of an argument.
  const within = instead(call, (value) => leafValues(value, mostWithin, namedFor));
  const named = inTurn([single, within, together(call, () => limits)]).map((one): Neighbour => ({
    ...one,
    odd: true,
    named: true,
  }));
  const odd = [...instead(call, oddValues), ...instead(call, (value) => leafValues(value, mostWithin, oddValues))];
  const fewer = call.a.slice(0, -1);
  const lessOf = (a: readonly Value[]): Neighbour => ({ ...plain, a, near: "other", from: call.a });
  // A default shows with a long text or list, where the tests never leave it to the function.
  const less =
    call.a.length === 0
      ? []
      : [lessOf(fewer), ...(fewer.length === 0 ? [] : [{ ...lessOf(fewer.map(longOf)), named: true as const }])];
  const others = [...odd, ...less].map((one): Neighbour => ({ ...one, odd: true }));
  return inTurn([named, [...others, ...oneMore(call)], otherFields(call, fields)]);
}

/** The first of each list, then the second of each. */
const inTurn = <T>(lists: readonly (readonly T[])[]): T[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  ).flat();

/** Taken in turns from each recorded call, without the recorded ones themselves: first the near ones. */
export function neighboursOf(
  calls: readonly RecordedCall[],
  named: (file: string) => Named = () => nothingNamed,
): Neighbour[] {
  const taken = new Set(calls.map((call) => `${nameOf(call)} ${argumentsOf(call)}`));
  // A call that throws has no right value to be near to.
  const right = calls.filter((call) => "r" in call.end && !isValue(call));
  const pick = (all: readonly Neighbour[], ofOne: number, ofAll: number): Neighbour[] => {
    const counts = new Map<string, number>();
    const found: Neighbour[] = [];
    for (const one of all) {
      const key = `${nameOf(one)} ${argumentsOf(one)}`;
      const count = counts.get(nameOf(one)) ?? 0;
      if (taken.has(key) || count >= ofOne || found.length >= ofAll) continue;
      taken.add(key);
      counts.set(nameOf(one), count + 1);
      found.push(one);
    }
    return found;
  };
  const near = pick(inTurn(right.map(nearTo)), mostOfOne, mostOfAll);
  // Each call begins with another kind, so that many calls of one function show every kind.
  const far = right.map((call, at) => {
    const all = farFrom(call, named(call.m));
    const from = all.length === 0 ? 0 : at % all.length;
    return [...all.slice(from), ...all.slice(0, from)];
  });
  return [...near, ...pick(inTurn(far), mostOddOfOne, mostOddOfAll)];
}
