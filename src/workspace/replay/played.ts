// What players report, read line by line, and how two ends of a call are compared. Pure.
import { parseJson, recordOf } from "../../core/contract/index.ts";
import type { Call } from "./calls.ts";
import { type End, endOf } from "./ends.ts";

/** A call that is to be made, with the number under which its end is reported. */
export interface PlannedCall extends Call {
  readonly i: number;
}

export interface PlayedCall {
  readonly end: End;
  /** The same process gave another end when it was asked again. */
  readonly varies: boolean;
  /** Who changes what it gave changes what the next one is given. */
  readonly shared?: true;
  /** How long it takes, where that is long. */
  readonly ms?: number;
  /** What a caller can tell of it that its value does not show: a promise, its own argument, a frozen object. */
  readonly form?: readonly string[];
}

interface Turned {
  readonly end: End;
  readonly after: number;
  /** Soon after that it gave the first end again. */
  readonly back?: true;
}

export interface Played {
  readonly ends: ReadonlyMap<number, PlayedCall>;
  /** Calls whose end turned into another one after so many calls. */
  readonly turned: ReadonlyMap<number, Turned>;
  /** Calls that gave another end when others were begun at the same time. */
  readonly mixed: ReadonlyMap<number, End>;
  /** What it changed for the whole process. */
  readonly left: readonly string[];
  /** What the files export and can be called. */
  readonly exports: ReadonlyMap<string, readonly string[]>;
  /** Files that could not be loaded, and why. */
  readonly failed: ReadonlyMap<string, string>;
  readonly done: boolean;
  /** The last call about which the process said something, also that it cannot be made; -1 where there is none. */
  readonly last: number;
}

interface Filling {
  readonly ends: Map<number, PlayedCall>;
  readonly turned: Map<number, Turned>;
  readonly mixed: Map<number, End>;
  readonly left: string[];
  readonly exports: Map<string, readonly string[]>;
  readonly failed: Map<string, string>;
  done: boolean;
  last: number;
}

export function readPlayed(text: string): ReadonlyMap<string, Played> {
  const all = new Map<string, Filling>();
  for (const line of text.split("\n")) {
    const record = recordOf(parseJson(line));
    const { p, i, m, failed, after } = record;
    if (typeof p !== "string") continue;
    const one = all.get(p) ?? {
      ends: new Map(),
      turned: new Map(),
      mixed: new Map(),
      left: [] as string[],
      exports: new Map(),
      failed: new Map(),
      done: false,
      last: -1,
    };
    all.set(p, one);
    const end = endOf(record);
    if (record["done"] === true) one.done = true;
    if (typeof m === "string" && typeof failed === "string") one.failed.set(m, failed);
    if (Array.isArray(record["left"])) one.left.push(...record["left"].filter((name) => typeof name === "string"));
    const { exports } = record;
    if (typeof m === "string" && Array.isArray(exports))
      one.exports.set(
        m,
        exports.filter((name): name is string => typeof name === "string"),
      );
    if (typeof i !== "number") continue;
    one.last = Math.max(one.last, i);
    if (end === null) continue;
    if (record["mixed"] === true) one.mixed.set(i, end);
    else if (typeof after === "number")
      one.turned.set(i, { end, after, ...(record["back"] === true ? { back: true } : {}) });
    // The first report counts: code that finds the pipe cannot replace it.
    else if (!one.ends.has(i)) {
      const shared = record["shared"] === true ? ({ shared: true } as const) : {};
      const { form, ms } = record;
      const slow = typeof ms === "number" ? { ms } : {};
      const more = Array.isArray(form) ? { form: form.filter((text) => typeof text === "string") } : {};
      one.ends.set(i, { end, varies: record["varies"] === true, ...slow, ...shared, ...more });
    }
  }
  return all;
}

/** Files, programs and services that a test had made or started are missing outside of it. */
const missing = /ENOENT|ENOTDIR|ECONNREFUSED|EADDR|EACCES|EROFS|EPERM|EEXIST|ENETUNREACH|EAI_AGAIN|ENOTFOUND/;
const missingKinds =
  /^(?:FileNotFoundError|NotADirectoryError|ConnectionRefusedError|ConnectionError|PermissionError|FileExistsError|OSError|URLError|gaierror)$/;

export function isMissing(end: End): boolean {
  if (!("t" in end)) return false;
  const { v } = (end.t ?? {}) as { readonly v?: unknown };
  const [kind, message] = Array.isArray(v) ? v.map(String) : ["", ""];
  return missingKinds.test(kind ?? "") || missing.test(message ?? "");
}
