// One text for one value: JSON with sorted keys, so that a hash of it means the value.
import { fail } from "../contract/index.ts";

/** Refuses what JSON would change in silence: undefined in arrays, NaN, functions, class instances with no plain form. */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

const deepest = 200;

function write(value: unknown, depth: number): string {
  if (depth > deepest) refuse(`nested deeper than ${deepest} levels`);
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(`the number ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(",")}]`;
  if (typeof value === "object") return writeObject(value, depth);
  return refuse(`a ${typeof value}`);
}

function writeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse(`a ${value.constructor.name}`);
  const parts: string[] = [];
  for (const [key, item] of Object.entries(value).sort(byKey)) {
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${write(item, depth + 1)}`);
  }
  return `{${parts.join(",")}}`;
}

function byKey(a: [string, unknown], b: [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

function refuse(what: string): never {
  return fail("invalid_input", `An event can hold only JSON values, and this one holds ${what}.`, {
    remedy: "Store text, numbers, booleans, lists and plain objects; put bytes in an artifact.",
  });
}
