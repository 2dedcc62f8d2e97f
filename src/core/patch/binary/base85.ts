// git's base85: lines whose first letter is their length in bytes, five digits for every four of them.

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const digits = new Int8Array(128).fill(-1);
for (let value = 0; value < alphabet.length; value++) digits[alphabet.charCodeAt(value)] = value;

function lengthOf(letter: number): number {
  if (letter >= 65 && letter <= 90) return letter - 64;
  return letter >= 97 && letter <= 122 ? letter - 70 : 0;
}

/** The bytes of one line (without its line end), or undefined when it is none. */
export function decodeLine(line: string): Uint8Array | undefined {
  const length = lengthOf(line.charCodeAt(0));
  if (length === 0 || line.length !== 1 + Math.ceil(length / 4) * 5) return undefined;
  const bytes = new Uint8Array(length);
  for (let group = 0; group * 4 < length; group++) {
    let value = 0;
    for (let at = 1 + group * 5; at < 6 + group * 5; at++) {
      const digit = digits[line.charCodeAt(at)] ?? -1;
      if (digit < 0) return undefined;
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) return undefined;
    for (let byte = 0; byte < 4 && group * 4 + byte < length; byte++) {
      bytes[group * 4 + byte] = (value / 2 ** (24 - 8 * byte)) & 0xff;
    }
  }
  return bytes;
}

/** The bytes of all lines. */
export function decodeLines(data: string): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const line of data.split("\n").slice(0, -1)) {
    const part = decodeLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (!part) return undefined;
    parts.push(part);
    length += part.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
