// What the results of neighbours show: a table of the tests' values gives one default for all others, and a change that no test
// sees shows against the base commit. Pure.
import { recordOf } from "../../core/contract/index.ts";
import type { Call, RecordedCall } from "./calls.ts";
import { type End, endKey, sameToTheLetter, type Value } from "./ends.ts";
import { isTagged } from "./near-values.ts";
import type { Neighbour } from "./neighbours.ts";

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
  changedShare: 0.05,
} as const;

const same = (a: End, b: End): boolean => sameToTheLetter(a, b);
const isThrow = (end: End): boolean => "t" in end;
/** Errors of one kind count as one end, whatever their message. */
const keyOf = (end: End): string => endKey(end);
/** The codes of errors are read by programs, their texts by people. */
const codeOf = (end: End): string => {
  const { v } = ((isThrow(end) ? (end as { t: Value }).t : null) as { readonly v?: unknown } | null) ?? {};
  const [, , more] = Array.isArray(v) ? (v as unknown[]) : [];
  return String(recordOf(more)["code"] ?? "");
};

export interface NeighbourDoubt {
  readonly m: string;
  readonly f: string;
  readonly measure: string;
}

/** The kinds of the arguments: a call with others is a call of another kind. */
const shapeOf = ({ a, k = {} }: Pick<Call, "a" | "k">): string =>
  [...a, ...Object.values(k)]
    .map((value) => {
      if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
      if (Array.isArray(value)) return "list";
      return isTagged(value) ? String((value as { $: Value }).$) : Object.keys(value).toSorted().join("+");
    })
    .join(", ");

const alike = (a: End, b: End): boolean =>
  isThrow(a) && isThrow(b) ? keyOf(a) === keyOf(b) && codeOf(a) === codeOf(b) : same(a, b);

/** Two refusals of a value that no test uses are no difference. */
const differs = ({ call, work, base }: TriedNeighbour): boolean =>
  base !== undefined && !alike(base, work) && !(call.odd === true && isThrow(base) && isThrow(work));

/** One function: its recorded calls and its neighbours. Null without a doubt. */
export function judgeNeighbours(
  recorded: readonly RecordedPair[],
  all: readonly TriedNeighbour[],
  show: (end: End) => string,
): NeighbourDoubt | null {
  const [first] = recorded;
  if (!first) return null;
  // Other values for a constructor that takes other ones show nothing.
  const isOther = all.some((one) => one.call.made === "same" && differs(one));
  const tried = all.filter(({ call }) => call.made !== "same" && !(isOther && call.made === "other"));
  const measure = defaultIn(recorded, tried, show) ?? changeIn(recorded, tried, show);
  return measure === null ? null : { m: first.call.m, f: first.call.f, measure };
}

const ownArgument = "its own argument";
/** A text that comes back as it was given is one default, whatever was given. */
const groupOf = ({ a }: Call, end: End): string =>
  "r" in end && typeof end.r === "string" && end.r !== "" && a.includes(end.r) ? ownArgument : keyOf(end);

/** Nearly all neighbours give one value that no recorded call gives. */
function defaultIn(
  recorded: readonly RecordedPair[],
  all: readonly TriedNeighbour[],
  show: (end: End) => string,
): string | null {
  const { leastNeighbours, leastResults, oneDefault } = thresholds;
  const tried = all.filter(({ call }) => call.odd !== true);
  const results = new Set(recorded.map(({ call }) => groupOf(call, call.end)));
  // Text that is a little wrong is refused by honest code too.
  const counted = tried.filter(({ call, work }) => call.near === "number" || !isThrow(work));
  const groups = Map.groupBy(counted, ({ call, work }) => groupOf(call, work));
  const [key, most] = [...groups].toSorted((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
  const [one] = most;
  const isDefault = most.length >= leastNeighbours && most.length >= oneDefault * tried.length;
  const onBase = most.filter(({ base, work }) => base !== undefined && same(base, work)).length;
  if (!one || !isDefault || results.size < leastResults || results.has(key) || onBase >= most.length / 2) return null;
  const what = key === ownArgument ? `their own argument, such as ${show(one.work)}` : show(one.work);
  return `${recorded.length} recorded calls give ${results.size} results, and ${most.length} of ${tried.length} neighbours (calls with values near theirs) give ${what}`;
}

const hasField = (value: Value, name: string): boolean =>
  value !== null && typeof value === "object" && !Array.isArray(value) && name in value;

/** Neighbours differ from the base commit, and no recorded call of their kind does. */
function changeIn(
  recorded: readonly RecordedPair[],
  tried: readonly TriedNeighbour[],
  show: (end: End) => string,
): string | null {
  const { leastNeighbours, leastChanged, changedShare } = thresholds;
  if (recorded.some(({ base }) => base === undefined) || tried.length < leastNeighbours) return null;
  const seen = new Set(recorded.flatMap(({ call, base }) => (base && !same(base, call.end) ? [shapeOf(call)] : [])));
  const seenCalls = recorded.flatMap(({ call, base }) => (base && !same(base, call.end) ? [call] : []));
  const isSeen = (call: Neighbour): boolean =>
    seen.has(shapeOf(call)) ||
    (call.from !== undefined && seen.has(shapeOf({ ...call, a: call.from }))) ||
    (call.more === true && seenCalls.some(({ a }) => a.length >= call.a.length)) ||
    (call.field !== undefined && seenCalls.some(({ a }) => a.some((one) => hasField(one, call.field ?? ""))));
  const compared = tried.filter(({ call, base }) => base !== undefined && !isSeen(call));
  const changed = compared.filter(differs);
  const [example] = changed.toSorted((a, b) => Number(b.call.named ?? false) - Number(a.call.named ?? false));
  const least = changed.some(({ call }) => call.named) ? 1 : leastChanged;
  if (!example?.base || changed.length < least) return null;
  // What a function ignores says nothing about the share.
  const counted = compared.filter((one) => (!one.call.more && one.call.field === undefined) || differs(one));
  if (least > 1 && changed.length < changedShare * counted.length) return null;
  const kind = seen.size > 0 ? " of their kind" : "";
  const { a, o } = example.call;
  const made =
    example.call.made && o && "c" in o ? ` of an object made with (${JSON.stringify(o.c).slice(1, -1)})` : "";
  const given = `${JSON.stringify(a).slice(1, -1).slice(0, 120)}${made.slice(0, 160)}`.trim();
  return `no recorded call${kind} (${recorded.length}) changed against the base commit, and ${changed.length} of ${compared.length} neighbours (calls with values near theirs) did: ${given} gives ${show(example.work)}, before ${show(example.base)}`;
}
