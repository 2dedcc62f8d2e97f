// The id git gives a content: SHA-1 over its type, length and bytes. Used to compare, never to protect.
import { toBytes } from "../bytes.ts";

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

function mix(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 80; at++) {
    words[at] = rotate(
      (words[at - 3] ?? 0) ^ (words[at - 8] ?? 0) ^ (words[at - 14] ?? 0) ^ (words[at - 16] ?? 0),
      1,
    );
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let at = 0; at < 80; at++) {
    const [value, constant] =
      at < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : at < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : at < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (rotate(a, 5) + value + e + constant + (words[at] ?? 0)) | 0;
    [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
  }
  for (const [at, value] of [a, b, c, d, e].entries()) state[at] = (state[at] ?? 0) + value;
}

function sha1(message: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, (message.length * 8) >>> 0);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const words = new Uint32Array(80);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(block + at * 4);
    mix(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

export function blobId(content: Uint8Array): string {
  const head = toBytes(`blob ${content.length}\0`);
  const message = new Uint8Array(head.length + content.length);
  message.set(head);
  message.set(content, head.length);
  return sha1(message);
}
