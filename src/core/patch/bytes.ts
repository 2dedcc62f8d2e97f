// Byte strings: strings in which each UTF-16 unit is one byte (0-255). They offer search and slices and keep every byte.

const chunk = 8192;

export function fromBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    // `apply` accepts a typed array, which is much faster than spreading it.
    parts.push(String.fromCharCode.apply(null, bytes.subarray(at, at + chunk) as unknown as number[]));
  }
  return parts.join("");
}

export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** UTF-16 text → UTF-8 byte string. A lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): string {
  if (isAscii(text)) return text;
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    let code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    else if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) bytes[end++] = code;
    else {
      if (code < 0x800) bytes[end++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) bytes[end++] = 0xe0 | (code >> 12);
        else {
          bytes[end++] = 0xf0 | (code >> 18);
          bytes[end++] = 0x80 | ((code >> 12) & 0x3f);
        }
        bytes[end++] = 0x80 | ((code >> 6) & 0x3f);
      }
      bytes[end++] = 0x80 | (code & 0x3f);
    }
  }
  return fromBytes(bytes.subarray(0, end));
}

/** Valid UTF-8: no overlong sequences, no surrogates, nothing above U+10FFFF. */
const sequence =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

function decodeSequence(bytes: string): string {
  const first = bytes.charCodeAt(0);
  if (bytes.length === 1) return "\ufffd";
  let code = first & (bytes.length === 2 ? 0x1f : bytes.length === 3 ? 0x0f : 0x07);
  for (let at = 1; at < bytes.length; at++) code = (code << 6) | (bytes.charCodeAt(at) & 0x3f);
  return String.fromCodePoint(code);
}

/** UTF-8 byte string → text; invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: string): string {
  return isAscii(bytes) ? bytes : bytes.replace(sequence, decodeSequence);
}

/** Like `decodeUtf8`, but undefined when a byte is invalid. */
export function decodeUtf8Strictly(bytes: string): string | undefined {
  const text = decodeUtf8(bytes);
  return text.includes("\ufffd") && encodeUtf8(text) !== bytes ? undefined : text;
}

export const byteString = (input: Uint8Array | string): string =>
  typeof input === "string" ? encodeUtf8(input) : fromBytes(input);
