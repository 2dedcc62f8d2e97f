// Base64 and hex that hide a text with a secret in it, as in a Kubernetes Secret.
import { decodeBase64, isPrintable } from "./base64.ts";
import { hexClass, runEnd } from "./characters.ts";
import { type Found, reach } from "./rule.ts";

/** Judges the run `[start, end)`; `hides` tells whether a text holds a secret. */
export function judgeEncoded(
  text: string,
  start: number,
  end: number,
  hides: (hidden: string) => boolean,
): Found | undefined {
  if (end - start > reach / 2) return undefined;
  // Most runs are names, paths and pictures: twelve characters tell.
  const probe = decodeBase64(text, start, start + 12);
  if (probe !== undefined && isPrintable(probe)) {
    const hidden = decodeBase64(text, start, end);
    if (hidden !== undefined && isPrintable(hidden.slice(0, -2)) && hides(hidden)) {
      const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
      return { label: "base64_wrapped", rank: 2, start, end: end + padding };
    }
  }
  if (runEnd(text, start, hexClass, reach) !== end || (end - start) % 2 === 1) return undefined;
  const hidden = decodeHex(text, start, end);
  return isPrintable(hidden) && hides(hidden) ? { label: "hex_wrapped", rank: 2, start, end } : undefined;
}

function decodeHex(text: string, start: number, end: number): string {
  let decoded = "";
  for (let index = start; index < end; index += 2) {
    decoded += String.fromCharCode(Number.parseInt(text.slice(index, index + 2), 16));
  }
  return decoded;
}
