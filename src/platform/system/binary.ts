// The functions that a binary patch needs, from Node. Its modules are loaded at the first use: listing runs needs neither.
import process from "node:process";
import type { BinaryTools } from "../../core/contract/index.ts";
import { systemCode } from "../../core/contract/index.ts";

/** With `info` Node gives the engine as well, which knows how much of the input it has read. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(packed: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // One byte more than the size, so that longer content fails and empty content has a limit.
    const options = { info: true, maxOutputLength: size + 1 };
    const { inflateSync } = process.getBuiltinModule("node:zlib");
    const { buffer, engine } = inflateSync(packed, options) as unknown as Inflated;
    return buffer.length === size && engine.bytesWritten === packed.length ? buffer : undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code?.startsWith("Z_") || code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}

export const binaryTools: BinaryTools = {
  inflate,
  sha1: (bytes) => process.getBuiltinModule("node:crypto").hash("sha1", bytes, "hex"),
};
