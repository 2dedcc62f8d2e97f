// The part of a recorded artifact that a role is shown: redacted, bounded, and cut where a reader can see it.
import type { Artifacts, Attachment } from "../../contract/index.ts";
import type { TextPort } from "./ports.ts";

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

/** The text of an artifact without its secrets. */
interface Clean {
  readonly text: string;
  readonly taken: number;
  readonly total: number;
  readonly whole: boolean;
}

/** An artifact never changes, and every call of a run is shown much the same ones: small ones are cleaned once. */
const cleaned = new WeakMap<TextPort, Map<string, Clean>>();
const most = 64;
const small = 64 << 10;

async function cleanOf(artifacts: Artifacts, room: TextPort, ref: string): Promise<Clean> {
  const known = cleaned.get(room) ?? new Map<string, Clean>();
  const found = known.get(ref);
  if (found) return found;
  const { bytes, total } = await artifacts.slice(ref, 0, readLimit);
  const clean = { ...room.withoutSecrets(room.decode(bytes)), total, whole: bytes.length === total };
  if (bytes.length <= small && known.size < most) cleaned.set(room, known.set(ref, clean));
  return clean;
}

/** The excerpts of its attachments that a call is shown, and how many secrets were taken out of them. */
export async function excerptsOf(
  artifacts: Artifacts,
  room: TextPort,
  attachments: readonly Attachment[],
): Promise<{ readonly excerpts: readonly Excerpt[]; readonly taken: number }> {
  const excerpts: Excerpt[] = [];
  let taken = 0;
  for (const attachment of attachments) {
    const clean = await cleanOf(artifacts, room, attachment.ref.ref);
    excerpts.push(cut(room, attachment, clean));
    taken += clean.taken;
  }
  return { excerpts, taken };
}

/** The text is cut after the secrets are gone, so that no half of a secret is left at the edge. */
function cut(text: TextPort, { ref, name, maxBytes }: Attachment, clean: Clean): Excerpt {
  const { text: whole, total } = clean;
  const encoded = text.encode(whole);
  const fits = encoded.length <= maxBytes && clean.whole;
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
