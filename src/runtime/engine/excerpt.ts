// The part of a recorded artifact that a role is shown: redacted, bounded, and cut where a reader can see it.
import type { Artifacts, EvidenceAttachment } from "../../core/contract/index.ts";
import { type Removed, nothingRemoved } from "./clean.ts";
import type { TextPort } from "./ports.ts";

interface Excerpt {
  readonly name: string;
  readonly ref: string;
  readonly text: string;
  /** Bytes of the whole artifact. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** Which part this is, where the artifact is split over several messages. */
  readonly part?: EvidenceAttachment["part"];
}

/** Bytes that a message holds of an artifact, of all that it has once its secrets are replaced. */
interface Given {
  readonly given: number;
  readonly total: number;
}

/** More than this of one artifact is never read for a prompt. */
const readLimit = 4 << 20;
/** One that comes in parts is read whole. */
const partedLimit = 64 << 20;

/** The text of an artifact without its secrets. */
interface Clean {
  readonly text: string;
  readonly taken: number;
  readonly kinds: readonly string[];
  readonly total: number;
  readonly whole: boolean;
}

/** An artifact never changes, and every call of a run is shown much the same ones: small ones are cleaned once. */
const cleaned = new WeakMap<TextPort, Map<string, Clean>>();
const most = 64;
const small = 64 << 10;

async function cleanOf(
  artifacts: Artifacts,
  room: TextPort,
  { ref: { ref }, part }: EvidenceAttachment,
): Promise<Clean> {
  const known = cleaned.get(room) ?? new Map<string, Clean>();
  const found = known.get(ref);
  if (found) return found;
  const { bytes, total } = await artifacts.slice(ref, 0, part ? partedLimit : readLimit);
  const clean = { ...room.withoutSecrets(room.decode(bytes)), total, whole: bytes.length === total };
  if (bytes.length <= small && known.size < most) cleaned.set(room, known.set(ref, clean));
  return clean;
}

/** The excerpts of its attachments that a call is shown, and the secrets that were taken out of them. */
export async function excerptsOf(
  artifacts: Artifacts,
  room: TextPort,
  attachments: readonly EvidenceAttachment[],
): Promise<{ readonly excerpts: readonly Excerpt[]; readonly removed: Removed; readonly diff?: Given }> {
  const excerpts: Excerpt[] = [];
  const removed = nothingRemoved();
  let diff: Given | undefined;
  for (const attachment of attachments) {
    const clean = await cleanOf(artifacts, room, attachment);
    const { given, ...excerpt } = cut(room, attachment, clean);
    excerpts.push(excerpt);
    removed.taken += clean.taken;
    for (const kind of clean.kinds) removed.kinds.add(kind);
    if (attachment.name === "diff") diff = given;
  }
  return { excerpts, removed, ...(diff ? { diff } : {}) };
}

/** The text is cut after the secrets are gone, so that no half of a secret is left at the edge. */
function cut(
  text: TextPort,
  { ref, name, maxBytes, part }: EvidenceAttachment,
  clean: Clean,
): Excerpt & { readonly given: Given } {
  const { text: whole, total } = clean;
  const encoded = text.encode(whole);
  const fits = encoded.length <= maxBytes && clean.whole;
  const all = clean.whole ? encoded.length : Math.max(total, encoded.length + 1);
  if (fits)
    return {
      name,
      ref: ref.ref,
      text: whole,
      bytes: total,
      truncated: false,
      given: { given: all, total: all },
    };
  if (part && clean.whole) {
    const own = encoded.subarray(edge(encoded, part.index, part.of), edge(encoded, part.index + 1, part.of));
    if (own.length <= maxBytes)
      return {
        name,
        ref: ref.ref,
        text: text.decode(own),
        bytes: total,
        truncated: true,
        part,
        given: { given: own.length, total: all },
      };
  }
  // The end of a log matters most, so both ends stay.
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
    given: { given: maxBytes, total: all },
  };
}

/** Where part `index` begins: at the start of a line, where there is one near. */
function edge(bytes: Uint8Array, index: number, of: number): number {
  if (index === 0 || index === of) return index === 0 ? 0 : bytes.length;
  const about = Math.floor((bytes.length * index) / of);
  const line = bytes.lastIndexOf(0x0a, about - 1);
  if (line >= 0 && about - line < mostLine) return line + 1;
  let at = about;
  // Never within a character.
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

const mostLine = 4_000;
