// JSON from outside. A text with a duplicate key in one object is ambiguous and is refused.
import { fail } from "../../core/contract/index.ts";

function countKeys(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const items = Object.values(next);
    if (!Array.isArray(next)) count += items.length;
    for (const item of items) if (typeof item === "object" && item !== null) open.push(item);
  }
  return count;
}

/** The number of pairs in the text: the colons outside of strings. */
function countPairs(text: string): number {
  return (text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/:/g) ?? []).length;
}

export function strictJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail("invalid_input", "The body is not valid JSON.");
  }
  if (countPairs(text) !== countKeys(value)) fail("invalid_input", "The body names a key twice in one object.");
  return value;
}
