// A text in which escapes and other pieces are replaced by their meaning, and the mapping of findings back to the original.
import type { FoundSecret } from "./rule.ts";

/** A part of the original and its meaning: one character, or nothing. */
export interface ViewPiece {
  readonly at: number;
  readonly length: number;
  readonly meaning: string;
}

interface View {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** The view from offset `at` shows the original from offset `from`: unchanged, or one character for `length` of them. */
interface Part {
  readonly at: number;
  readonly from: number;
  /** 0 for unchanged text. */
  readonly length: number;
}

/** `text[start, end)` with each piece replaced by its meaning. */
export function textViewOf(text: string, start: number, end: number, pieces: readonly ViewPiece[]): View {
  const parts: Part[] = [];
  let plain = "";
  let from = start;
  for (const { at, length, meaning } of pieces) {
    if (at > from) {
      parts.push({ at: plain.length, from, length: 0 });
      plain += text.slice(from, at);
    }
    from = at + length;
    if (meaning) parts.push({ at: plain.length, from: at, length });
    plain += meaning;
  }
  parts.push({ at: plain.length, from, length: 0 });
  return { text: plain + text.slice(from, end), parts };
}

/** The findings of a view, with offsets of the original. */
export function toOriginal(found: readonly FoundSecret[], view: View): FoundSecret[] {
  return found.map((one) => ({
    ...one,
    start: originOf(view, one.start).start,
    end: originOf(view, one.end - 1).end,
  }));
}

function originOf({ parts }: View, index: number): { start: number; end: number } {
  const part = parts[partAt(parts, index)];
  if (!part) throw new Error("a view starts with its first part");
  const start = part.from + (part.length === 0 ? index - part.at : 0);
  return { start, end: start + Math.max(1, part.length) };
}

/** The number of the last part that starts at or before `index`. */
function partAt(parts: readonly Part[], index: number): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((parts[middle]?.at ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
