// SHA-256 and chance, from a module that is loaded at the first use: listing runs needs neither, and loading it is
// a fifth of what an empty program takes to start.
import process from "node:process";

let loaded: typeof import("node:crypto") | undefined;

function crypto(): typeof import("node:crypto") {
  return (loaded ??= process.getBuiltinModule("node:crypto"));
}

/** Hex, of bytes or of the UTF-8 form of a text. */
export function sha256(data: string | Uint8Array): string {
  return crypto().hash("sha256", data, "hex");
}

export function startSha256(): { update(chunk: Uint8Array): unknown; digest(encoding: "hex"): string } {
  return crypto().createHash("sha256");
}

export function randomBelow(limit: number): number {
  return crypto().randomInt(limit);
}
