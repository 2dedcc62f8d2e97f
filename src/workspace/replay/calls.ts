// Recorded calls: what the recorders write, read line by line, and the choice of those that are repeated. The lines come from
// a process in which judged code ran: nothing of them is trusted to be well-formed or short. Pure.
import { isRecord, parseJson, recordOf } from "../../core/contract/index.ts";
import { type End, endKey, endOf, type Value } from "./ends.ts";

/** What an object was made of, and the calls since then. */
interface Made {
  readonly c: readonly Value[];
  readonly h: History<string>;
}

type History<Member> = readonly (readonly [member: Member, given: readonly Value[]])[];

/** What is called, and how another process makes it again: an object of its fields, one of what it was made of and the calls
 * since then, or what another call gave. `n`: its class, where that is another one. `k`: the field that holds the function. */
export type Receiver = { readonly n?: string } & (
  | { readonly s: Value; readonly made?: Made }
  | { readonly c: readonly Value[]; readonly h: History<string> }
  | { readonly y: GivingCall; readonly h: History<string | null>; readonly k?: string }
);

interface GivingCall {
  readonly f: string;
  readonly a: readonly Value[];
  readonly o?: Receiver;
}

export interface Call {
  /** The file, relative to the tree. */
  readonly m: string;
  readonly f: string;
  readonly a: readonly Value[];
  /** Named arguments of Python. */
  readonly k?: Readonly<Record<string, Value>>;
  /** Variables that the process had set since it started. */
  readonly e?: Readonly<Record<string, string>>;
  readonly o?: Receiver;
  /** So many steps of the walk that it gives. */
  readonly g?: number;
}

export interface RecordedCall extends Call {
  readonly end: End;
}

/** Made more than once under the tests, with other ends. */
export interface VariousCall extends RecordedCall {
  readonly ends: readonly End[];
}

export interface LoadedModule {
  readonly file: string;
  readonly program: string;
  /** Of Python. */
  readonly module?: string;
  readonly paths: readonly string[];
}

export interface Recorded {
  readonly modules: readonly LoadedModule[];
  /** Functions that a recorder was put around: `m f`. */
  readonly known: ReadonlySet<string>;
  readonly calls: readonly RecordedCall[];
  /** Calls whose arguments cannot be written down, by `m f`. */
  readonly lost: ReadonlyMap<string, number>;
  /** The recorder began in a process and became ready in none: something of the project is in its way. */
  readonly broken: boolean;
}

export const nameOf = ({ m, f }: Pick<Call, "m" | "f">): string => `${m} ${f}`;

const unwritable = new Set(["lost", "instance"]);

/** Whether another process can make the same value again. */
export function isWhole(value: Value): boolean {
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(isWhole);
  const fields = value as Readonly<Record<string, Value>>;
  const tag = fields["$"];
  if (typeof tag === "string" && unwritable.has(tag)) return false;
  return Object.values(fields).every(isWhole);
}

const mostLines = 20_000;
const asValue = (value: unknown): Value => value as Value;
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

const areWhole = (values: unknown): values is readonly Value[] =>
  Array.isArray(values) && values.every((one) => isWhole(asValue(one)));

/** Null where one of the calls cannot be made again. */
function historyOf<Member>(h: unknown, isMember: (value: unknown) => value is Member): History<Member> | null {
  if (!Array.isArray(h)) return null;
  const before = h.flatMap((one): (readonly [Member, readonly Value[]])[] => {
    const [member, given] = Array.isArray(one) ? (one as unknown[]) : [];
    return isMember(member) && areWhole(given) ? [[member, given]] : [];
  });
  return before.length === h.length ? before : null;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Null for an object that another process cannot make. */
function receiverOf(value: unknown): Receiver | null {
  const { n, s, c, h, y, k } = recordOf(value);
  const named = isText(n) ? { n } : {};
  if (isRecord(y)) return givenBy(y, h, k);
  const before = historyOf(h, isText);
  const made = before && areWhole(c) ? { made: { c, h: before } } : {};
  if (isRecord(s)) return isWhole(asValue(s)) ? { ...named, s: asValue(s), ...made } : null;
  return before && areWhole(c) ? { ...named, c, h: before } : null;
}

function givenBy(y: Readonly<Record<string, unknown>>, h: unknown, k: unknown): Receiver | null {
  const { f, a, o } = y;
  const before = historyOf(h, isTextOrNull);
  const object = o === undefined ? undefined : receiverOf(o);
  if (!before || !isText(f) || !areWhole(a) || object === null) return null;
  return { y: { f, a, ...(object ? { o: object } : {}) }, h: before, ...(isText(k) ? { k } : {}) };
}

export function readRecorded(text: string, files: readonly string[]): Recorded {
  const modules = new Map<string, LoadedModule>();
  const known = new Set<string>();
  const calls: RecordedCall[] = [];
  const lost = new Map<string, number>();
  const marks = new Set<unknown>();
  for (const line of text.split("\n").slice(0, mostLines)) {
    const record = recordOf(parseJson(line));
    const { m, f, a, k, e, o, g, program, module, recorder } = record;
    marks.add(recorder);
    if (typeof m !== "string" || !files.includes(m)) continue;
    if (typeof program === "string") {
      const named = typeof module === "string" ? { module } : {};
      modules.set(m, { file: m, program, ...named, paths: texts(record["paths"]) });
    }
    if (typeof f !== "string") continue;
    if (!isValue({ f })) known.add(nameOf({ m, f }));
    const end = endOf(record);
    if (record["known"] === true) continue;
    const named = isRecord(k) ? { k: k as Record<string, Value> } : {};
    const values = [...(Array.isArray(a) ? (a as Value[]) : []), ...Object.values(named.k ?? {})];
    const object = o === undefined ? undefined : receiverOf(o);
    if (!Array.isArray(a) || end === null || object === null || !values.every(isWhole)) {
      lost.set(nameOf({ m, f }), (lost.get(nameOf({ m, f })) ?? 0) + 1);
      continue;
    }
    const set = isRecord(e) ? { e: e as Record<string, string> } : {};
    const more = { ...(object ? { o: object } : {}), ...(typeof g === "number" ? { g } : {}) };
    calls.push({ m, f, a: a as Value[], ...named, ...set, ...more, end });
  }
  const broken = marks.has("began") && !marks.has("ready");
  return { modules: [...modules.values()], known, calls, lost, broken };
}

/** Objects with the same fields are the same, however they were made. */
const receiverKey = (o: Receiver | undefined): unknown => (o && "s" in o ? { n: o.n, s: o.s } : (o ?? null));

export const argumentsOf = ({ a, k, e, o, g }: Call): string =>
  JSON.stringify([a, k ?? {}, e ?? {}, receiverKey(o), ...(g === undefined ? [] : [g])]);

export interface ChosenCalls {
  readonly calls: readonly RecordedCall[];
  /** The same arguments gave different results under the checks already. */
  readonly unsteady: number;
  /** Recorded, and not chosen. */
  readonly left: number;
  readonly various: readonly VariousCall[];
}

const mostCalls = 240;
const mostOfOne = 120;
const mostValues = 40;
const mostVarious = 40;
const mostEnds = 40;

/** An exported value, as it is when its module is loaded. */
export const isValue = ({ f }: Pick<Call, "f">): boolean => f.startsWith("value ");

/** Each call once, in the order of the record; the first and the last ones of a function that was called often. */
export function chooseCalls(
  all: readonly RecordedCall[],
  isFirst: (file: string) => boolean = () => false,
): ChosenCalls {
  const byFunction = new Map<string, Map<string, RecordedCall | null>>();
  const various = new Map<string, VariousCall>();
  for (const call of all.filter((one) => !isValue(one))) {
    const own = byFunction.get(nameOf(call)) ?? new Map<string, RecordedCall | null>();
    byFunction.set(nameOf(call), own);
    const key = argumentsOf(call);
    const before = own.get(key);
    if (before === undefined) own.set(key, call);
    else {
      const whole = `${nameOf(call)} ${key}`;
      const ends = various.get(whole)?.ends ?? (before ? [before.end] : []);
      if (ends.some((end) => endKey(end) === endKey(call.end))) continue;
      own.set(key, null);
      if (ends.length < mostEnds) various.set(whole, { ...call, ends: [...ends, call.end] });
    }
  }
  let unsteady = 0;
  let left = 0;
  const chosen: RecordedCall[] = [];
  const values = all.filter(isValue).slice(0, mostValues);
  const functions = [...byFunction.values()].toSorted((a, b) => rank(b, isFirst) - rank(a, isFirst));
  for (const [at, own] of functions.entries()) {
    const steady = [...own.values()].filter((call) => call !== null);
    unsteady += own.size - steady.length;
    // What one function does not need is left to the others, so that each has a call among many.
    const free = mostCalls - chosen.length;
    const room = Math.min(mostOfOne, free, Math.max(1, Math.floor(free / (functions.length - at))));
    const early = Math.ceil(room / 2);
    const kept =
      steady.length <= room ? steady : [...steady.slice(0, early), ...steady.slice(steady.length - (room - early))];
    left += steady.length - kept.length;
    chosen.push(...kept);
  }
  return { calls: [...chosen, ...values], unsteady, left, various: [...various.values()].slice(0, mostVarious) };
}

function rank(own: ReadonlyMap<string, RecordedCall | null>, isFirst: (file: string) => boolean): number {
  const one = [...own.values()].find((call) => call !== null);
  return one && isFirst(one.m) ? 1 : 0;
}

/** Only variables that a test names were set by a test; those of the runner are not carried outside. */
export function withTestVariables<T extends Call>(call: T, isNamed: (name: string) => boolean): T {
  const kept = Object.entries(call.e ?? {}).filter(([name]) => !ofRunners.test(name) && isNamed(name));
  const { e: _, ...rest } = call;
  return (kept.length === 0 ? rest : { ...rest, e: Object.fromEntries(kept) }) as T;
}

const ofRunners =
  /^(?:NODE_TEST|NODE_V8|NODE_CHANNEL|VITEST|JEST|PYTEST|TINYPOOL|MOCHA|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/i;
