// Calls and results in words, for messages. Pure.
import { type Call, isValue } from "./calls.ts";
import type { End, Value } from "./ends.ts";

const longest = 120;

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function shown(value: Value): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  const { $: tag, v } = value as Readonly<Record<string, Value>>;
  if (tag === "undefined") return "undefined";
  if (typeof tag === "string" && (typeof v === "string" || typeof v === "number"))
    return tag === "lost" ? `a ${v}` : String(v);
  if ((tag === "object" || tag === "member" || tag === "named") && Array.isArray(v))
    return `${String(v[1])} ${tag === "member" ? String(v[2]) : shown(v[2] ?? {})}`;
  if ((tag === "instance" || tag === "record") && Array.isArray(v)) return `${String(v[0])} ${shown(v[1] ?? {})}`;
  if (tag === "with" && Array.isArray(v)) return `${shown(v[0] ?? null)} with ${shown(v[1] ?? {})}`;
  if (tag === "digest" && Array.isArray(v)) return `a value of ${String(v[1])} characters (${String(v[0])})`;
  if (tag === "callback") return "a callback";
  if (tag === "changed" && Array.isArray(v)) {
    const [end = null, after] = v as readonly Value[];
    return `${shown(end)} and leaves the arguments ${shown(after ?? null)}`;
  }
  if (tag === "tuple" && Array.isArray(v)) return `(${v.map(shown).join(", ")})`;
  return JSON.stringify(value);
}

const isFilled = (value: Value | undefined): value is readonly Value[] => Array.isArray(value) && value.length > 0;

export function showEnd(end: End): string {
  const calls = isFilled(end.b) ? ` and calls its callbacks with ${shown(end.b.map(givenOf))}` : "";
  const prints = isFilled(end.w) ? ` and prints ${shown(end.w.map(givenOf))}` : "";
  return `${showResult(end)}${cut(calls)}${cut(prints)}`;
}

/** Without the number of the callback, or the name of the stream. */
const givenOf = (one: Value): Value => (Array.isArray(one) ? ((one as readonly Value[])[1] ?? null) : one);

function showResult(end: End): string {
  if ("r" in end) return cut(shown(end.r));
  const { v } = (end.t ?? {}) as { readonly v?: unknown };
  if (!Array.isArray(v)) return cut(`the error ${shown(end.t)}`);
  const [name, message, more] = v as readonly Value[];
  const fields = more === undefined ? "" : ` with ${shown(more)}`;
  return cut(`the error ${String(name)}: ${String(message)}${fields}`);
}

const given = (a: readonly Value[]): string => a.map(shown).join(", ");

/** ` of an object with {"sum":1}`. */
function showObject({ o }: Call): string {
  if (!o) return "";
  if ("s" in o) return cut(` of an object with ${shown(o.s)}`);
  const before = o.h.map(([member, a]) => `${member === null ? "" : `.${member}`}(${given(a)})`).join("");
  if ("y" in o) return cut(` of what ${o.y.f}(${given(o.y.a)}) gave${before === "" ? "" : ` after ${before}`}`);
  return cut(` of an object made with (${given(o.c)})${before === "" ? "" : ` after ${before}`}`);
}

/** `add(1, 2)`. */
export function showCall(call: Call): string {
  if (isValue(call)) return call.f;
  const named = Object.entries(call.k ?? {}).map(([name, value]) => `${name}=${shown(value)}`);
  return `${call.f}(${cut([given(call.a), ...named].filter((text) => text !== "").join(", "))})${showObject(call)}`;
}
