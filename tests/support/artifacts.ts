// Artifacts in memory, behind the same port as the store's.
import { createHash } from "node:crypto";
import type { Artifacts } from "../../src/core/contract/index.ts";

export const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

export interface KeptArtifact {
  readonly bytes: Uint8Array;
  readonly kind: string;
}

export function artifactsInMemory(kept = new Map<string, KeptArtifact>()): Artifacts {
  const bytesOf = (ref: string) => kept.get(ref)?.bytes ?? new Uint8Array();
  return {
    put(data, about) {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      const ref = `sha256:${sha256(bytes)}`;
      kept.set(ref, { bytes, kind: about.kind });
      return Promise.resolve({ ref, bytes: bytes.length, ...about });
    },
    read: (ref) => Promise.resolve(bytesOf(ref)),
    has: (ref) => Promise.resolve(kept.has(ref)),
    settle: () => Promise.resolve(),
    slice: (ref, offset, length) => {
      const bytes = bytesOf(ref);
      return Promise.resolve({ bytes: bytes.subarray(offset, offset + length), total: bytes.length });
    },
  };
}
