// Calls with arguments near the recorded ones, and what their results show: a table of the tests' values gives one default
// for all others, and a change that no test sees shows against the base commit. Pure.
import { argumentsOf, type Call, type End, nameOf, type RecordedCall, type Value } from "./calls.ts";

export interface Neighbour extends Call {
  /** The kind of the changed argument. */
  readonly near: "number" | "text" | "other";
}

const mostOfOne = 60;
const mostOfAll = 240;

const isTagged = (value: Value): boolean => value !== null && typeof value === "object" && "$" in value;

function nearValues(value: Value): readonly Value[] {
  if (typeof value === "number") {
    const whole = Number.isInteger(value);
    return [value + 1, value - 1, whole ? value * 1_000 + 7 : value * 1_000];
  }
  if (typeof value === "string")
    return value === ""
      ? ["a"]
      : [`${value}${value.at(-1) ?? ""}`, value.slice(0, -1), [...value].toReversed().join("")];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const [first] = value as readonly Value[];
    const inner = nearValues(first ?? null)[0];
    return [value.slice(0, -1), value.toReversed(), ...(inner === undefined ? [] : [[inner, ...value.slice(1)]])];
  }
  if (value === null || typeof value !== "object" || isTagged(value)) return taggedNear(value);
  const fields = value as Readonly<Record<string, Value>>;
  return Object.keys(fields)
    .slice(0, 4)
    .flatMap((key) =>
      nearValues(fields[key] ?? null)
        .slice(0, 1)
        .map((near) => ({ ...fields, [key]: near })),
    );
}

/** Tuples of Python as lists; whole floats as numbers. */
function taggedNear(value: Value): readonly Value[] {
  if (value === null || typeof value !== "object") return [];
  const { $: tag, v } = value as Readonly<Record<string, Value>>;
  if (tag === "tuple" && Array.isArray(v)) return nearValues(v).map((near) => ({ $: "tuple", v: near }));
  if (tag === "float" && typeof v === "string" && Number.isFinite(Number(v)))
    return [Number(v) + 1, Number(v) - 1].map((near) => ({ $: "float", v: `${near}.0` }));
  return [];
}

const kindOf = (value: Value): Neighbour["near"] =>
  typeof value === "number" || (isTagged(value) && (value as { $: Value }).$ === "float")
    ? "number"
    : typeof value === "string"
      ? "text"
      : "other";

function around(call: RecordedCall): Neighbour[] {
  const { end: _, ...plain } = call;
  const changed = call.a.flatMap((value, at) =>
    nearValues(value).map((near) => ({ ...plain, a: call.a.with(at, near), near: kindOf(value) })),
  );
  const swapped =
    call.a.length > 1 && typeof call.a[0] === typeof call.a[1]
      ? [{ ...plain, a: [call.a[1] ?? null, call.a[0] ?? null, ...call.a.slice(2)], near: kindOf(call.a[0] ?? null) }]
      : [];
  return [...changed, ...swapped];
}

/** Taken in turns from each recorded call, without the recorded ones themselves. */
export function neighboursOf(calls: readonly RecordedCall[]): Neighbour[] {
  const taken = new Set(calls.map((call) => `${nameOf(call)} ${argumentsOf(call)}`));
  const counts = new Map<string, number>();
  const found: Neighbour[] = [];
  // A call that throws has no right value to be near to.
  const each = calls.filter(({ end }) => "r" in end).map(around);
  for (let turn = 0; turn < Math.max(0, ...each.map(({ length }) => length)); turn += 1)
    for (const own of each) {
      const one = own[turn];
      const key = one ? `${nameOf(one)} ${argumentsOf(one)}` : "";
      const count = one ? (counts.get(nameOf(one)) ?? 0) : 0;
      if (!one || taken.has(key) || count >= mostOfOne || found.length >= mostOfAll) continue;
      taken.add(key);
      counts.set(nameOf(one), count + 1);
      found.push(one);
    }
  return found;
}

export interface TriedNeighbour {
  readonly call: Neighbour;
  readonly work: End;
  /** Undefined where the base commit lacks the function, or gave no result. */
  readonly base: End | undefined;
}

export interface RecordedPair {
  readonly call: RecordedCall;
  /** What the base commit gives for it. */
  readonly base: End | undefined;
}

/** The written thresholds (B-25). */
export const thresholds = {
  /** Fewer neighbours or recorded results show nothing. */
  leastNeighbours: 6,
  leastResults: 2,
  /** So large a share of one value, which no recorded call gives, is a default. */
  oneDefault: 0.8,
  /** So many that changed, while no recorded call did, are a change that no test sees. */
  leastChanged: 2,
  changedShare: 0.1,
} as const;

const same = (a: End, b: End): boolean => JSON.stringify(a) === JSON.stringify(b);
const isThrow = (end: End): boolean => "t" in end;
/** Errors of one kind count as one end, whatever their message. */
const keyOf = (end: End): string => {
  if (!isThrow(end)) return JSON.stringify(end);
  const { v } = ((end as { t: Value }).t ?? {}) as { readonly v?: unknown };
  return `throws ${Array.isArray(v) ? String(v[0]) : ""}`;
};

export interface NeighbourDoubt {
  readonly m: string;
  readonly f: string;
  readonly measure: string;
}

/** One function: its recorded calls and its neighbours. Null without a doubt. */
export function judgeNeighbours(
  recorded: readonly RecordedPair[],
  tried: readonly TriedNeighbour[],
  show: (end: End) => string,
): NeighbourDoubt | null {
  const [first] = recorded;
  const { leastNeighbours, leastResults, oneDefault, leastChanged, changedShare } = thresholds;
  if (!first || tried.length < leastNeighbours) return null;
  const doubt = (measure: string): NeighbourDoubt => ({ m: first.call.m, f: first.call.f, measure });
  const results = new Set(recorded.map(({ call }) => keyOf(call.end)));
  // Text that is a little wrong is refused by honest code too.
  const counted = tried.filter(({ call, work }) => call.near === "number" || !isThrow(work));
  const groups = Map.groupBy(counted, ({ work }) => keyOf(work));
  const [key, most] = [...groups].toSorted((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
  const [one] = most;
  const isDefault = most.length >= leastNeighbours && most.length >= oneDefault * tried.length;
  const onBase = most.filter(({ base, work }) => base !== undefined && same(base, work)).length;
  if (one && isDefault && results.size >= leastResults && !results.has(key) && onBase < most.length / 2)
    return doubt(
      `${recorded.length} recorded calls give ${results.size} results, and ${most.length} of ${tried.length} neighbours (calls with values near theirs) give ${show(one.work)}`,
    );
  const compared = tried.filter(({ base }) => base !== undefined);
  const changed = compared.filter(({ base, work }) => base !== undefined && !same(base, work));
  const seen = recorded.some(({ call, base }) => base === undefined || !same(base, call.end));
  if (seen || changed.length < leastChanged || changed.length < changedShare * compared.length) return null;
  const example = changed[0];
  return doubt(
    `no recorded call (${recorded.length}) changed against the base commit, and ${changed.length} of ${compared.length} neighbours (calls with values near theirs) did${
      example
        ? `: ${JSON.stringify(example.call.a).slice(1, -1).slice(0, 120)} gives ${show(example.work)}, before ${show(example.base ?? example.work)}`
        : ""
    }`,
  );
}
