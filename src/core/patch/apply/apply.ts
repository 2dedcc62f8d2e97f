// Section + old bytes → new bytes, exactly as `git apply` writes them. A hunk that fits at several lines is refused.
import type { BinaryTools } from "../../contract/index.ts";
import { applyBinary } from "../binary/binary.ts";
import { fromBytes, toBytes } from "../bytes.ts";
import { newText, oldText, trailingContext } from "../lines.ts";
import type { Hunk, Section } from "../model.ts";
import type { PatchReason } from "../reasons.ts";
import { LineIndex, lineStarts } from "./search.ts";

type Applied =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array;
      /** For each hunk: how many lines below its stated position it was applied. */
      readonly offsets: readonly number[];
    }
  | { readonly ok: false; readonly reason: PatchReason; readonly message: string; readonly hunk: number };

/** Line comparisons left for all sections of one patch: they bound the time that a hostile patch can cost. */
export interface Effort {
  left: number;
}

const fullEffort = 60_000_000;
export const newEffort = (): Effort => ({ left: fullEffort });

type HunkPosition = { readonly at: number } | { readonly reason: PatchReason; readonly message: string };

interface Placing {
  readonly file: LineIndex;
  readonly effort: Effort;
  /** Old lines that earlier hunks replace, in order. */
  readonly taken: { readonly from: number; readonly to: number }[];
  /** Lines added minus lines removed by earlier hunks. */
  delta: number;
}

/** git refuses to match lines that an earlier hunk has written. */
function free({ taken }: Placing, from: number, to: number): boolean {
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((taken[middle]?.to ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const next = taken[low];
  return next === undefined || next.from >= to;
}

function placeHunk(placing: Placing, hunk: Hunk, wanted: string): HunkPosition {
  const { file, effort } = placing;
  const length = lineStarts(wanted).length - 1;
  const stated = hunk.old.start - (length > 0 ? 1 : 0);
  // git tries the position of the new side first. The position is exact only if both sides name the same line.
  const agrees = length === 0 || hunk.new.count === 0 || hunk.new.start - 1 - placing.delta === stated;
  // Without context git ties a hunk to the start or end of the file and ignores its numbers.
  const tied = {
    start: hunk.old.start <= 1,
    end: trailingContext(hunk) === 0,
  };
  const allowed = (at: number) => (!tied.start || at === 0) && (!tied.end || at + length === file.count);
  const admit = (at: number) => free(placing, at, at + length);
  if (agrees && allowed(stated) && admit(stated) && file.fitsAt(wanted, stated)) return { at: stated };
  if (length === 0) return { reason: "ambiguous_context", message: "it has no line that says where it belongs" };
  effort.left -= file.count;
  if (effort.left < 0) return { reason: "too_large", message: "finding its place takes too long" };
  const places = file.places(wanted, 2, admit);
  const [only] = places;
  if (only === undefined) return { reason: "context_mismatch", message: "its lines are not in the file" };
  if (places.length > 1)
    return {
      reason: "ambiguous_context",
      message: "it fits in more than one place, none of them the stated one",
    };
  if (!allowed(only))
    return {
      reason: "context_mismatch",
      message: "without context it must stand at an end of the file, and does not",
    };
  const last = placing.taken.at(-1);
  if (last && only < last.to)
    return { reason: "hunk_overlap", message: "it fits only above a hunk that comes before it" };
  return { at: only };
}

/** Whether the hunk would fit if carriage returns were ignored. */
function fitsWithoutReturns(text: string, wanted: string): boolean {
  if (!text.includes("\r") && !wanted.includes("\r")) return false;
  const plain = (part: string) => part.replaceAll("\r\n", "\n");
  return new LineIndex(plain(text)).places(plain(wanted), 1, () => true).length > 0;
}

/** Applies hunks to a byte string. */
export function applyText(before: string, hunks: readonly Hunk[], effort: Effort = newEffort()): Applied {
  const file = new LineIndex(before);
  const placing: Placing = { file, effort, taken: [], delta: 0 };
  const parts: string[] = [];
  const offsets: number[] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const wanted = oldText(hunk);
    const found = placeHunk(placing, hunk, wanted);
    if ("reason" in found) {
      const returns = found.reason === "context_mismatch" && fitsWithoutReturns(before, wanted);
      const reason = returns ? "line_ending_mismatch" : found.reason;
      const message = returns ? "its lines are in the file, with other line ends" : found.message;
      return { ok: false, reason, message: `Hunk ${index + 1}: ${message}`, hunk: index };
    }
    const start = file.starts[found.at] ?? before.length;
    parts.push(before.slice(done, start), newText(hunk));
    done = start + wanted.length;
    const length = lineStarts(wanted).length - 1;
    placing.taken.push({ from: found.at, to: found.at + length });
    placing.delta += hunk.new.count - hunk.old.count;
    offsets.push(found.at - (hunk.old.start - (length > 0 ? 1 : 0)));
  }
  parts.push(before.slice(done));
  return { ok: true, bytes: toBytes(parts.join("")), offsets };
}

/** The new content of one section. `before` is null when the file does not exist; without `binary` only text is applied. */
export function applyHunks(before: Uint8Array | null, section: Section, binary?: BinaryTools): Applied {
  const { body, change } = section;
  const old = before === null ? "" : fromBytes(before);
  const refuse = (reason: PatchReason, message: string): Applied => ({ ok: false, reason, message, hunk: 0 });
  if (body.kind === "binary-notice") return refuse("binary_not_allowed", "The section does not hold its binary data");
  if ((change === "create") !== (before === null)) {
    return refuse("context_mismatch", before === null ? "The file does not exist" : "The file exists already");
  }
  if (body.kind === "binary") {
    if (!binary) return refuse("binary_not_allowed", "Binary data was not to be unpacked");
    const bytes = applyBinary(before ?? new Uint8Array(), section, binary);
    return bytes
      ? { ok: true, bytes, offsets: [] }
      : refuse("context_mismatch", "The binary data does not fit the file or its ids");
  }
  const applied = applyText(old, body.kind === "hunks" ? body.hunks : []);
  if (applied.ok && change === "delete" && applied.bytes.length > 0) {
    return refuse("context_mismatch", "The file has more content than the patch deletes");
  }
  return applied;
}
