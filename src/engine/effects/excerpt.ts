// The part of a recorded artifact that a role is shown: redacted, bounded, and cut where a reader can see it.
import type { Artifacts, Attachment } from "../../contract/index.ts";
import type { TextRoom } from "./rooms.ts";

export interface Excerpt {
  readonly name: string;
  readonly ref: string;
  readonly text: string;
  /** Bytes of the whole artifact. */
  readonly bytes: number;
  readonly truncated: boolean;
}

/** More than this of one artifact is never read for a prompt. */
const readLimit = 4 << 20;

/** Redacted as a whole and cut afterwards, so that no half of a secret survives at the edge. */
export function excerptOf(artifacts: Artifacts, text: TextRoom, attachment: Attachment): Excerpt {
  const { ref, name, maxBytes } = attachment;
  const { bytes, total } = artifacts.slice(ref.ref, 0, readLimit);
  const whole = text.redact(text.decode(bytes));
  const encoded = text.encode(whole);
  const fits = encoded.length <= maxBytes && bytes.length === total;
  if (fits) return { name, ref: ref.ref, text: whole, bytes: total, truncated: false };
  // Logs tell most at their end, so both ends are kept.
  const head = Math.floor(maxBytes * 0.6);
  const start = text.decode(encoded.subarray(0, head)).replace(/\uFFFD$/, "");
  const end = text.decode(encoded.subarray(encoded.length - (maxBytes - head))).replace(/^\uFFFD+/, "");
  const left = encoded.length - maxBytes;
  return {
    name,
    ref: ref.ref,
    text: `${start}\n[… ${left} bytes left out …]\n${end}`,
    bytes: total,
    truncated: true,
  };
}
