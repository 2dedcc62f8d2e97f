// Calls and results in words, for messages. Pure.
import type { Call, End, Value } from "./calls.ts";

const longest = 120;

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function shown(value: Value): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  const { $: tag, v } = value as Readonly<Record<string, Value>>;
  if (tag === "undefined") return "undefined";
  if (typeof tag === "string" && (typeof v === "string" || typeof v === "number"))
    return tag === "lost" ? `a ${v}` : String(v);
  if (tag === "tuple" && Array.isArray(v)) return `(${v.map(shown).join(", ")})`;
  return JSON.stringify(value);
}

export function showEnd(end: End): string {
  if ("r" in end) return cut(shown(end.r));
  const { v } = (end.t ?? {}) as { readonly v?: unknown };
  return cut(Array.isArray(v) ? `the error ${v.join(": ")}` : `the error ${shown(end.t)}`);
}

/** `add(1, 2)`. */
export function showCall({ f, a, k = {} }: Call): string {
  const named = Object.entries(k).map(([name, value]) => `${name}=${shown(value)}`);
  return `${f}(${cut([...a.map(shown), ...named].join(", "))})`;
}
