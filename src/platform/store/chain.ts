// The hash chain of a run: each event covers the one before it, the first covers the run's own name.
import { type RunRow, fail } from "../../core/contract/index.ts";
import { sha256 } from "./hashing.ts";

/** Refuses values that JSON would change in silence: undefined in arrays, NaN, functions, class instances with no plain form. */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

const deepest = 200;

function write(value: unknown, depth: number): string {
  if (depth > deepest) refuse(`nested deeper than ${deepest} levels`);
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : refuse(`the number ${value}`);
  if (typeof value !== "object") return refuse(`a ${typeof value}`);
  return Array.isArray(value) ? writeList(value, depth) : writeObject(value as Record<string, unknown>, depth);
}

function writeList(value: readonly unknown[], depth: number): string {
  let text = "[";
  for (let place = 0; place < value.length; place++) text += (place === 0 ? "" : ",") + write(value[place], depth + 1);
  return `${text}]`;
}

function writeObject(value: Record<string, unknown>, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse(`a ${value.constructor.name}`);
  let text = "{";
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item !== undefined) text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${write(item, depth + 1)}`;
  }
  return `${text}}`;
}

function refuse(what: string): never {
  return fail("invalid_input", `An event can hold only JSON values, and this one holds ${what}.`, {
    remedy: "Store text, numbers, booleans, lists and plain objects; put bytes in an artifact.",
  });
}

/** The previous hash of the first event. It holds the run's name, so that no log can be passed off as another's. */
export function genesis(runId: string): string {
  return sha256(`thehood log 1\n${runId}`);
}

/** `text` is the canonical JSON of the event, exactly as stored. */
export function eventHash(runId: string, seq: number, at: number, text: string, prevHash: string): string {
  return sha256(`event\n${runId}\n${seq}\n${at}\n${prevHash}\n${text}`);
}

/** The row follows from the log; its digest ties it to the head it was written with. */
export function rowDigest(row: Omit<RunRow, "damaged" | "brief">, brief: string, head: string): string {
  const { runId, createdAt, updatedAt, seq, goal, mode, state } = row;
  return sha256(`row\n${canonicalJson([runId, createdAt, updatedAt, seq, goal, mode, state, brief, head])}`);
}

export function leaseDigest(fields: readonly (string | number)[]): string {
  return sha256(`lease\n${canonicalJson(fields)}`);
}
