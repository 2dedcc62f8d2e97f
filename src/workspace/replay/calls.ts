// Recorded calls: what the recorders write, read line by line, and the choice of those that are repeated. The lines come from
// a process in which judged code ran: nothing of them is trusted to be well-formed or short. Pure.
import { isRecord, parseJson, recordOf } from "../../core/contract/index.ts";

/** A value as the recorders write it: plain JSON, with `{ "$": kind, "v": … }` for what JSON does not have. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

export type End = { readonly r: Value } | { readonly t: Value };

export interface Call {
  /** The file, relative to the tree. */
  readonly m: string;
  readonly f: string;
  readonly a: readonly Value[];
  /** Named arguments of Python. */
  readonly k?: Readonly<Record<string, Value>>;
  /** Variables that the process had set since it started. */
  readonly e?: Readonly<Record<string, string>>;
}

export interface RecordedCall extends Call {
  readonly end: End;
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

function endOf(record: Readonly<Record<string, unknown>>): End | null {
  if ("r" in record) return { r: asValue(record["r"]) };
  return "t" in record ? { t: asValue(record["t"]) } : null;
}

export function readRecorded(text: string, files: readonly string[]): Recorded {
  const modules = new Map<string, LoadedModule>();
  const known = new Set<string>();
  const calls: RecordedCall[] = [];
  const lost = new Map<string, number>();
  for (const line of text.split("\n").slice(0, mostLines)) {
    const record = recordOf(parseJson(line));
    const { m, f, a, k, e, program, module } = record;
    if (typeof m !== "string" || !files.includes(m)) continue;
    if (typeof program === "string") {
      const named = typeof module === "string" ? { module } : {};
      modules.set(m, { file: m, program, ...named, paths: texts(record["paths"]) });
    }
    if (typeof f !== "string") continue;
    known.add(nameOf({ m, f }));
    const end = endOf(record);
    if (record["known"] === true) continue;
    const named = isRecord(k) ? { k: k as Record<string, Value> } : {};
    const values = [...(Array.isArray(a) ? (a as Value[]) : []), ...Object.values(named.k ?? {})];
    if (!Array.isArray(a) || end === null || !values.every(isWhole)) {
      lost.set(nameOf({ m, f }), (lost.get(nameOf({ m, f })) ?? 0) + 1);
      continue;
    }
    const set = isRecord(e) ? { e: e as Record<string, string> } : {};
    calls.push({ m, f, a: a as Value[], ...named, ...set, end });
  }
  return { modules: [...modules.values()], known, calls, lost };
}

export const argumentsOf = ({ a, k, e }: Call): string => JSON.stringify([a, k ?? {}, e ?? {}]);

export interface ChosenCalls {
  readonly calls: readonly RecordedCall[];
  /** The same arguments gave different results under the checks already. */
  readonly unsteady: number;
  /** Recorded, and not chosen. */
  readonly left: number;
}

const mostCalls = 240;
const mostOfOne = 40;

/** Each call once, in the order of the record; the first and the last ones of a function that was called often. */
export function chooseCalls(
  all: readonly RecordedCall[],
  isFirst: (file: string) => boolean = () => false,
): ChosenCalls {
  const byFunction = new Map<string, Map<string, RecordedCall | null>>();
  for (const call of all) {
    const own = byFunction.get(nameOf(call)) ?? new Map<string, RecordedCall | null>();
    byFunction.set(nameOf(call), own);
    const key = argumentsOf(call);
    const before = own.get(key);
    if (before === undefined) own.set(key, call);
    else if (before !== null && JSON.stringify(before.end) !== JSON.stringify(call.end)) own.set(key, null);
  }
  let unsteady = 0;
  let left = 0;
  const chosen: RecordedCall[] = [];
  for (const own of [...byFunction.values()].toSorted((a, b) => rank(b, isFirst) - rank(a, isFirst))) {
    const steady = [...own.values()].filter((call) => call !== null);
    unsteady += own.size - steady.length;
    const room = Math.min(mostOfOne, mostCalls - chosen.length);
    const kept =
      steady.length <= room ? steady : [...steady.slice(0, room / 2), ...steady.slice(-room / 2)].slice(0, room);
    left += steady.length - kept.length;
    chosen.push(...kept);
  }
  return { calls: chosen, unsteady, left };
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
