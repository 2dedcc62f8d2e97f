// Values and messages without their secrets, with the number and the kinds of what was removed.
import { isRecord, parseJson } from "../../core/contract/index.ts";
import type { TextPort } from "./ports.ts";

export interface Removed {
  taken: number;
  readonly kinds: Set<string>;
}

export const nothingRemoved = (): Removed => ({ taken: 0, kinds: new Set() });

/** Every string in a value, keys left alone: redacting the JSON text itself could break it. */
export function cleanDeep<T>(text: TextPort, value: T, removed: Removed = nothingRemoved()): T {
  if (typeof value === "string") return note(text.withoutSecrets(value), removed) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => cleanDeep(text, item, removed)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanDeep(text, item, removed)])) as T;
}

function note(clean: ReturnType<TextPort["withoutSecrets"]>, removed: Removed): string {
  removed.taken += clean.taken;
  for (const kind of clean.kinds) removed.kinds.add(kind);
  return clean.text;
}

/**
 * A secret can show only beside its key. It is removed from the text of the whole message too, unless that would break the
 * message or a field that the answer depends on; then the manifest names it.
 */
export function cleanMessage(text: TextPort, message: string, fixed: readonly string[], removed: Removed): string {
  const clean = text.withoutSecrets(message);
  if (clean.taken === 0) return message;
  const [before, after] = [parseJson(message), parseJson(clean.text)];
  const same = (key: string) =>
    isRecord(before) && isRecord(after) && JSON.stringify(before[key]) === JSON.stringify(after[key]);
  return fixed.every(same) ? note(clean, removed) : message;
}
