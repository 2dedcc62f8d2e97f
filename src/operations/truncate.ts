// Results within a number of bytes: long texts and lists are truncated, or read in pages.
import { clip } from "../core/contract/index.ts";

/** Names whose texts are never cut: a cut one means nothing, or something else. */
const whole =
  /^(run_?id|runId|ref|sha256|id|kind|state|path|phrase|command|suggest|gateId|uri|next_offset|artifact|identity|assignment|agent)$/i;

function shorten(value: unknown, text: number, list: number, key = ""): unknown {
  if (typeof value === "string") return whole.test(key) || value.startsWith("sha256:") ? value : clip(value, text);
  if (Array.isArray(value)) {
    const kept = value.slice(0, list).map((entry) => shorten(entry, text, list, key));
    return value.length > list ? [...kept, `… ${value.length - list} more`] : kept;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shorten(entry, text, list, name)]));
}

const encoder = new TextEncoder();

/** As it travels: JSON inside a JSON string. */
export const sentBytes = (value: unknown): number => encoder.encode(JSON.stringify(JSON.stringify(value))).length;

const steps = [
  [2_000, 200],
  [600, 60],
  [300, 30],
  [160, 20],
  [80, 12],
  [40, 8],
  [20, 4],
] as const;

export function truncateToBytes(value: unknown, mostBytes: number): unknown {
  if (sentBytes(value) <= mostBytes) return value;
  for (const [text, list] of steps) {
    const cut = shorten(value, text, list);
    if (sentBytes(cut) <= mostBytes) return cut;
  }
  return {
    ...shortFields(value),
    truncated: true,
    note: "Too large for this answer; read its artifacts instead.",
  };
}

/** The fields that take next to nothing, so that a result is still known by its name and state. */
function shortFields(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const isShort = (entry: unknown) => typeof entry !== "object" && String(entry).length <= 64;
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => isShort(entry)));
}

export interface TextPage {
  readonly content: string;
  readonly offset: number;
  readonly total_bytes: number;
  readonly next_offset: number | null;
}

/** Whether a byte begins a character. */
const begins = (byte: number | undefined) => byte === undefined || (byte & 0xc0) !== 0x80;

export function pageOf(bytes: Uint8Array, offset: number, most: number): TextPage {
  let from = Math.min(offset, bytes.length);
  while (!begins(bytes[from])) from += 1;
  let to = Math.min(from + most, bytes.length);
  while (to > from && !begins(bytes[to])) to -= 1;
  if (to === from && from < bytes.length) to = Math.min(from + 4, bytes.length);
  return {
    content: new TextDecoder().decode(bytes.subarray(from, to)),
    offset: from,
    total_bytes: bytes.length,
    next_offset: to < bytes.length ? to : null,
  };
}
