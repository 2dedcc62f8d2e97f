// What players report, read line by line, and how two ends of a call are compared. Pure.
import { parseJson, recordOf } from "../../core/contract/index.ts";
import type { Call, End, Value } from "./calls.ts";

/** A call that is to be made, with the number under which its end is reported. */
export interface PlannedCall extends Call {
  readonly i: number;
}

export interface PlayedCall {
  readonly end: End;
  /** The same process gave another end when it was asked again. */
  readonly varies: boolean;
}

export interface Played {
  readonly ends: ReadonlyMap<number, PlayedCall>;
  /** Calls whose end turned into another one after so many calls. */
  readonly turned: ReadonlyMap<number, { readonly end: End; readonly after: number }>;
  /** Files that could not be loaded, and why. */
  readonly failed: ReadonlyMap<string, string>;
  readonly done: boolean;
}

interface Filling {
  readonly ends: Map<number, PlayedCall>;
  readonly turned: Map<number, { readonly end: End; readonly after: number }>;
  readonly failed: Map<string, string>;
  done: boolean;
}

const asEnd = (record: Readonly<Record<string, unknown>>): End | null =>
  "r" in record ? { r: record["r"] as Value } : "t" in record ? { t: record["t"] as Value } : null;

export function readPlayed(text: string): ReadonlyMap<string, Played> {
  const all = new Map<string, Filling>();
  for (const line of text.split("\n")) {
    const record = recordOf(parseJson(line));
    const { p, i, m, failed, after } = record;
    if (typeof p !== "string") continue;
    const one = all.get(p) ?? { ends: new Map(), turned: new Map(), failed: new Map(), done: false };
    all.set(p, one);
    const end = asEnd(record);
    if (record["done"] === true) one.done = true;
    if (typeof m === "string" && typeof failed === "string") one.failed.set(m, failed);
    if (typeof i !== "number" || end === null) continue;
    if (typeof after === "number") one.turned.set(i, { end, after });
    // The first report counts: code that finds the pipe cannot replace it.
    else if (!one.ends.has(i)) one.ends.set(i, { end, varies: record["varies"] === true });
  }
  return all;
}

/** Folders of this replay, which may be a part of a result. */
export type Folders = readonly string[];

const escapes = /\\u001b\[[0-9;]*[A-Za-z]/g;

/** Two ends that are equal by this are the same end: colours, and the folder in which the process ran, do not count. */
export function endKey(end: End, folders: Folders = []): string {
  if ("t" in end) {
    const { v } = (end.t ?? {}) as { readonly v?: unknown };
    return `throws ${Array.isArray(v) ? String(v[0]) : ""}`;
  }
  const text = JSON.stringify(end.r).replaceAll(escapes, "");
  return folders.reduce((made, folder) => (folder.length > 1 ? made.replaceAll(folder, "<folder>") : made), text);
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
