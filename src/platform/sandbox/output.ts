// Owns what a program says: both streams kept up to one common limit, the rest refused.

export interface OutputCapture {
  /** Keeps what still fits; true when the limit is now exceeded. */
  push(stream: "stdout" | "stderr", chunk: Uint8Array): { kept: Uint8Array; exceeded: boolean };
  bytes(stream: "stdout" | "stderr"): Uint8Array;
  readonly truncated: boolean;
}

export function createCapture(limit: number): OutputCapture {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let left = limit;
  let truncated = false;
  return {
    push(stream, chunk) {
      // A copy of the slice: the stream reuses its pool, and a small slice must not hold a big buffer.
      const kept = Uint8Array.from(chunk.subarray(0, left));
      if (kept.length > 0) chunks[stream].push(kept);
      left -= kept.length;
      if (kept.length < chunk.length) truncated = true;
      return { kept, exceeded: truncated };
    },
    bytes: (stream) => new Uint8Array(Buffer.concat(chunks[stream])),
    get truncated() {
      return truncated;
    },
  };
}
