// Keeps what is told within a number of bytes: texts are cut shorter and shorter, then lists, and it is said that they were.
import { clip } from "../../core/contract/index.ts";

/** Names whose texts are never cut: a cut one means nothing, or something else. */
const whole =
  /^(run_?id|runId|ref|sha256|id|kind|state|path|phrase|command|suggest|gateId|uri|next_offset|artifact|identity|assignment|agent)$/i;

function shorten(value: unknown, text: number, list: number, key = ""): unknown {
  if (typeof value === "string")
    return whole.test(key) || value.startsWith("sha256:") ? value : clip(value, text);
  if (Array.isArray(value)) {
    const kept = value.slice(0, list).map((entry) => shorten(entry, text, list, key));
    return value.length > list ? [...kept, `… ${value.length - list} more`] : kept;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, shorten(entry, text, list, name)]),
  );
}

const encoder = new TextEncoder();

/** As it travels: JSON inside a JSON string. */
export const sentBytes = (value: unknown): number =>
  encoder.encode(JSON.stringify(JSON.stringify(value))).length;

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
    note: "Too large to be told here; read its artifacts instead.",
  };
}

/** The fields that take next to nothing, so that a result is still known by its name and state. */
function shortFields(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const isShort = (entry: unknown) => typeof entry !== "object" && String(entry).length <= 64;
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => isShort(entry)));
}
