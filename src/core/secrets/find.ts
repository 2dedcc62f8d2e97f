// Finds the secrets in one window of text with every method, and repeats until the redacted window has none left.
import { type FoundSecret, secretContext, marker, type SecretOptions } from "./rule.ts";
import { findRepeats } from "./repeats.ts";
import { scan } from "./scan.ts";
import { throughInvisible, throughWrapping } from "./unwrap.ts";

export function merge(found: readonly FoundSecret[]): FoundSecret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end);
  const merged: FoundSecret[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (!last || next.start > last.end) {
      merged.push(next);
      continue;
    }
    const surest = next.rank < last.rank ? next : last;
    merged[merged.length - 1] = { ...surest, start: last.start, end: Math.max(last.end, next.end) };
  }
  return merged;
}

const rounds = 4;

export function findInWindow(text: string, options: SecretOptions): FoundSecret[] {
  const first = merge(findOnce(text, options));
  let found = first.length === 0 ? first : merge([...first, ...allowed(text, findRepeats(text, first), options)]);
  // Replacing one secret can reveal another: text directly after it now starts a token.
  for (let round = 1; round < rounds && found.length > 0; round += 1) {
    const more = findOnce(hide(text, found), options).map((one) => ({
      ...one,
      start: originOf(one.start, found, "start"),
      end: originOf(one.end, found, "end"),
    }));
    if (more.length === 0) break;
    found = merge([...found, ...more]);
  }
  return found;
}

function findOnce(text: string, options: SecretOptions): FoundSecret[] {
  const context = secretContext(options.file);
  const plain = (view: string) => scan(view, context);
  const found = [...plain(text), ...throughInvisible(text, plain), ...throughWrapping(text, plain)];
  for (const secret of options.rules?.find(text) ?? []) found.push(secret);
  return allowed(text, found, options);
}

function allowed(text: string, found: readonly FoundSecret[], { allow, use }: SecretOptions): FoundSecret[] {
  return found.filter(
    ({ start, end, onlyTransfer, onlyPrint }) =>
      !(use === "print" ? onlyTransfer : onlyPrint) && !allow?.hashes.has(allow.sha256(text.slice(start, end))),
  );
}

/** The text with each finding replaced by the marker. */
function hide(text: string, found: readonly FoundSecret[]): string {
  let hidden = "";
  let from = 0;
  for (const { start, end } of found) {
    hidden += text.slice(from, start) + marker;
    from = end;
  }
  return hidden + text.slice(from);
}

/** The offset in the original text of an offset in the hidden text; inside a marker, the edge of its finding. */
function originOf(offset: number, found: readonly FoundSecret[], edge: "start" | "end"): number {
  let shift = 0;
  for (const one of found) {
    const markerStart = one.start - shift;
    if (offset <= markerStart) break;
    if (offset < markerStart + marker.length) return one[edge];
    shift += one.end - one.start - marker.length;
  }
  return offset + shift;
}
