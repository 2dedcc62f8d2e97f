// Reads one open file and judges it: text or not, secrets, unchanged while it was read. Small files are read at once into
// one reused buffer, large ones in pieces.
import { isAscii, isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { fstatSync, readSync, type Stats } from "node:fs";
import { createRedactor, findSecrets, redact, type SecretOptions } from "../../../core/secrets/index.ts";
import type { ExclusionReason } from "../shapes.ts";

interface Judged {
  /** The size of the content that is sent. */
  readonly bytes: number;
  readonly sha256: string;
  /** Labels of the secrets found. */
  readonly labels: readonly string[];
}

type Verdict = Judged | { readonly refused: ExclusionReason };

/** The bytes that are sent, in pieces. A piece is valid until the next one is read. */
type Pieces = Generator<Uint8Array, void>;

const atOnce = 1 << 20;
const buffer = Buffer.allocUnsafeSlow(atOnce + 1);

function fill(fd: number, position: number, length: number): number {
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

const isSame = (before: Stats, after: Stats): boolean =>
  before.size === after.size && before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs;

/** Reads an open file to its end; with `redacting`, size and hash are those of the redacted content. */
export function judgeFileContent(fd: number, stats: Stats, secrets: SecretOptions, redacting: boolean): Verdict {
  const verdict = stats.size <= atOnce ? judgeSmall(fd, stats, secrets, redacting) : judgeLarge(fd, secrets, redacting);
  return isSame(stats, fstatSync(fd)) ? verdict : { refused: "changed_during_read" };
}

function judgeSmall(fd: number, stats: Stats, secrets: SecretOptions, redacting: boolean): Verdict {
  const length = fill(fd, 0, buffer.length);
  if (length !== stats.size) return { refused: "changed_during_read" };
  const bytes = buffer.subarray(0, length);
  if (bytes.includes(0)) return { refused: "binary" };
  if (!isUtf8(bytes)) return { refused: "not_utf8" };
  const text = decode(bytes);
  const found = findSecrets(text, secrets);
  const labels = [...new Set(found.map(({ label }) => label))];
  const sent = found.length > 0 && redacting ? Buffer.from(redact(text, secrets).text) : bytes;
  return { bytes: sent.length, sha256: createHash("sha256").update(sent).digest("hex"), labels };
}

/** ASCII files are decoded as latin1: faster, and half the memory. */
const decode = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

function judgeLarge(fd: number, secrets: SecretOptions, redacting: boolean): Verdict {
  const hash = createHash("sha256");
  const redactor = createRedactor(secrets);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let bytes = 0;
  const send = (piece: Uint8Array) => {
    bytes += piece.length;
    hash.update(piece);
  };
  try {
    for (let position = 0, length = 0; (length = fill(fd, position, atOnce)) > 0; position += length) {
      const piece = buffer.subarray(0, length);
      if (piece.includes(0)) return { refused: "binary" };
      const clean = redactor.push(decoder.decode(piece, { stream: true }));
      send(redacting ? Buffer.from(clean) : piece);
    }
    const rest = redactor.push(decoder.decode()) + redactor.end();
    if (redacting) send(Buffer.from(rest));
  } catch (error) {
    if (error instanceof TypeError) return { refused: "not_utf8" };
    throw error;
  }
  return { bytes, sha256: hash.digest("hex"), labels: redactor.labels() };
}

/** The bytes as they are sent. The caller compares their hash with the plan's. */
export function* contentOf(fd: number, secrets: SecretOptions, redacting: boolean): Pieces {
  const redactor = redacting ? createRedactor(secrets) : undefined;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (let position = 0, length = 0; (length = fill(fd, position, atOnce)) > 0; position += length) {
    const piece = Buffer.from(buffer.subarray(0, length));
    yield redactor ? Buffer.from(redactor.push(decoder.decode(piece, { stream: true }))) : piece;
  }
  if (redactor) yield Buffer.from(redactor.push(decoder.decode()) + redactor.end());
}
