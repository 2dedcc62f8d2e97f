// Base64 in both alphabets, to a text of one character a byte. The pure rooms have no platform decoder.

const values = new Int8Array(128).fill(-1);
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
for (let index = 0; index < 64; index += 1) values[alphabet.charCodeAt(index)] = index;
values["-".charCodeAt(0)] = 62;
values["_".charCodeAt(0)] = 63;

/** Decodes `text[start, end)`; stops at padding; undefined when a character is foreign. */
export function decodeBase64(text: string, start = 0, end = text.length): string | undefined {
  let bits = 0;
  let held = 0;
  let decoded = "";
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 61) break;
    const value = code < 128 ? (values[code] ?? -1) : -1;
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xff_ff_ff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      decoded += String.fromCharCode((held >> bits) & 255);
    }
  }
  return decoded;
}

/** Whether every character is printable ASCII or white space. */
export function isPrintable(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 126 || (code < 32 && code !== 9 && code !== 10 && code !== 13)) return false;
  }
  return true;
}
