// Looks through what hides a token from plain reading: invisible characters, UTF-16 read as bytes, colour sequences,
// escapes of URLs and string literals, strings joined from pieces.
import type { Found } from "./rule.ts";

/** A text made readable, and where each of its characters came from. */
interface View {
  readonly text: string;
  /** Where character `i` starts and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const invisible = /[\0\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/;
const colour = String.raw`\u001b\[[0-9;]{0,16}m`;
const tokenBefore = "(?<=[A-Za-z0-9_-])";
const tokenAfter = "(?=[A-Za-z0-9_-])";
const escapes = [
  String.raw`\\u00[2-7][0-9a-fA-F]`,
  String.raw`\\x[2-7][0-9a-fA-F]`,
  "%[2-7][0-9a-fA-F]",
  "&#(?:x[2-7][0-9a-fA-F]|[3-9][0-9]|1[0-2][0-9]);",
];
const joints = [
  // "gh" + "p_…", "gh" . "p_…", "gh" "p_…"
  String.raw`${tokenBefore}["'\x60]\s{0,40}(?:[+.&\\]\s{0,40})?["'\x60]${tokenAfter}`,
  // a line continued, in a shell or in quoted-printable mail
  String.raw`${tokenBefore}[\\=]\r?\n${tokenAfter}`,
];
const wrapping = new RegExp([...escapes, ...joints, colour].join("|"), "g");
const margin = 400;

/** Findings that only show when invisible characters are taken out. */
export function throughInvisible(text: string, scan: (text: string) => Found[]): Found[] {
  if (!invisible.test(text)) return [];
  const removed = [...text.matchAll(new RegExp(invisible, "g"))];
  const view = viewOf(text, 0, text.length, removed);
  return mapped(scan(view.text), view);
}

/** Findings of tokens with a known prefix that only show when escapes are read and joints are closed. */
export function throughWrapping(text: string, scan: (text: string) => Found[]): Found[] {
  const found: Found[] = [];
  let segment: RegExpExecArray[] = [];
  const close = () => {
    const first = segment[0];
    const last = segment.at(-1);
    if (!first || !last) return;
    const end = Math.min(text.length, last.index + last[0].length + margin);
    const view = viewOf(text, Math.max(0, first.index - margin), end, segment);
    found.push(
      ...mapped(
        scan(view.text).filter(({ rank }) => rank === 1),
        view,
      ),
    );
    segment = [];
  };
  wrapping.lastIndex = 0;
  for (let match = wrapping.exec(text); match; match = wrapping.exec(text)) {
    const last = segment.at(-1);
    if (last && match.index - last.index > 2 * margin) close();
    segment.push(match);
  }
  close();
  return found;
}

/** `text[start, end)` with each piece replaced by what it means. */
function viewOf(text: string, start: number, end: number, pieces: readonly RegExpExecArray[]): View {
  const starts: number[] = [];
  const ends: number[] = [];
  let plain = "";
  let from = start;
  const keep = (to: number) => {
    plain += text.slice(from, to);
    for (let index = from; index < to; index += 1) {
      starts.push(index);
      ends.push(index + 1);
    }
  };
  for (const piece of pieces) {
    keep(piece.index);
    from = piece.index + piece[0].length;
    const meaning = meaningOf(piece[0]);
    if (meaning) {
      plain += meaning;
      starts.push(piece.index);
      ends.push(from);
    }
  }
  keep(end);
  return { text: plain, starts, ends };
}

/** The character an escape stands for; "" for what only separates. */
function meaningOf(piece: string): string {
  const hex = /^(?:\\u00|\\x|%|&#x)([0-9a-fA-F]{2})/.exec(piece)?.[1];
  if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
  const decimal = /^&#(\d{2,3});/.exec(piece)?.[1];
  return decimal ? String.fromCharCode(Number(decimal)) : "";
}

const mapped = (found: readonly Found[], view: View): Found[] =>
  found.map((one) => ({ ...one, start: view.starts[one.start] ?? 0, end: view.ends[one.end - 1] ?? 0 }));
