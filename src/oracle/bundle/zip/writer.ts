// Writes an archive entry by entry into an open file. Small entries are packed at once; large ones in pieces, and their
// header is written again when their sizes are known.
import { writeSync } from "node:fs";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { directoryEntry, endRecords, localHeader, needs64, type ZipEntry } from "./records.ts";

/** Larger entries are packed in pieces. */
const atOnce = 16 << 20;
/** Three percent larger than the usual level, in two thirds of its time. */
const level = 4;
/** Writes are buffered up to this size. */
const gathered = 1 << 20;

const wholeOf = (pieces: readonly Uint8Array[]): Uint8Array =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);

export class ZipWriter {
  readonly #fd: number;
  readonly #entries: ZipEntry[] = [];
  #parts: Uint8Array[] = [];
  #waiting = 0;
  #end = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** `bytes` is the expected size of the content; its generator throws when the content differs. */
  async add(name: string, bytes: number, content: Iterable<Uint8Array>): Promise<void> {
    if (bytes <= atOnce) this.#addWhole(name, wholeOf([...content]));
    else await this.#addLarge(name, bytes, content);
  }

  #addWhole(path: string, content: Uint8Array): void {
    // A chunk size for the usual result, so that it is one piece.
    const deflated = deflateRawSync(content, { level, chunkSize: Math.max(1024, content.length >> 1) });
    const smaller = deflated.length < content.length;
    const data = smaller ? deflated : content;
    const name = Buffer.from(path);
    const entry = {
      name,
      method: smaller ? (8 as const) : (0 as const),
      crc: crc32(content),
      packed: data.length,
      bytes: content.length,
    };
    this.#entries.push({ ...entry, offset: this.#end });
    this.#put(localHeader(entry, false));
    this.#put(data);
  }

  async #addLarge(path: string, bytes: number, content: Iterable<Uint8Array>): Promise<void> {
    const wide = needs64(bytes + (bytes >> 8) + 1024);
    const name = Buffer.from(path);
    const offset = this.#end;
    const blank = { name, method: 8 as const, crc: 0, packed: 0, bytes: 0 };
    this.#put(localHeader(blank, wide));
    const from = this.#end;
    let crc = 0;
    let size = 0;
    const deflate = createDeflateRaw({ level });
    const packed = (async () => {
      for await (const piece of deflate) this.#put(piece as Buffer);
    })();
    for (const piece of content) {
      crc = crc32(piece, crc);
      size += piece.length;
      // The piece is valid only until the next one is read, so it is copied.
      await new Promise<void>((resolve, reject) =>
        deflate.write(Buffer.from(piece), (error) => (error ? reject(error) : resolve())),
      );
    }
    deflate.end();
    await packed;
    const entry = { ...blank, crc, packed: this.#end - from, bytes: size };
    this.#entries.push({ ...entry, offset });
    this.#flush();
    this.#write(localHeader(entry, wide), offset);
  }

  finish(): void {
    const offset = this.#end;
    for (const entry of this.#entries) this.#put(directoryEntry(entry));
    this.#put(endRecords(this.#entries.length, this.#end - offset, offset));
    this.#flush();
  }

  #put(data: Uint8Array): void {
    this.#parts.push(data);
    this.#waiting += data.length;
    this.#end += data.length;
    if (this.#waiting >= gathered) this.#flush();
  }

  #flush(): void {
    this.#write(Buffer.concat(this.#parts), this.#end - this.#waiting);
    this.#parts = [];
    this.#waiting = 0;
  }

  #write(data: Buffer, position: number): void {
    for (let done = 0; done < data.length;)
      done += writeSync(this.#fd, data, done, data.length - done, position + done);
  }
}
