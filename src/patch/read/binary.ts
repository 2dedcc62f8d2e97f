// `GIT binary patch`: base85 lines whose first letter gives their length. The data is checked for form, not unpacked.
import type { BinaryPart, SectionBody } from "../model.ts";
import type { Cursor } from "./cursor.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const digits = new Map([...alphabet].map((char, value) => [char, value]));

function goodLine(line: string): boolean {
  const length = /^[A-Z]/.test(line)
    ? line.charCodeAt(0) - 64
    : /^[a-z]/.test(line)
      ? line.charCodeAt(0) - 70
      : 0;
  if (length === 0 || line.length !== 1 + Math.ceil(length / 4) * 5) return false;
  for (let at = 1; at < line.length; at += 5) {
    let value = 0;
    for (const char of line.slice(at, at + 5)) {
      const digit = digits.get(char);
      if (digit === undefined) return false;
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) return false;
  }
  return true;
}

function readPart(cursor: Cursor): BinaryPart | undefined {
  const match = /^(literal|delta) (0|[1-9]\d{0,9})$/.exec(cursor.peek());
  if (!match) return undefined;
  cursor.take();
  const start = cursor.at;
  while (!cursor.done && cursor.peek() !== "") {
    if (!goodLine(cursor.peek())) return undefined;
    cursor.take();
  }
  const data = cursor.text.slice(start, cursor.at);
  if (data === "" || cursor.done) return undefined;
  cursor.take();
  return { method: match[1] === "delta" ? "delta" : "literal", size: Number(match[2]), data };
}

/** Reads what follows the line `GIT binary patch`. */
export function readBinary(cursor: Cursor): SectionBody {
  const forward = readPart(cursor);
  if (!forward) {
    cursor.problem("patch_malformed", "The data of a binary patch cannot be read");
    return { kind: "none" };
  }
  if (!cursor.starts("literal ") && !cursor.starts("delta ")) return { kind: "binary", forward };
  const reverse = readPart(cursor);
  if (reverse) return { kind: "binary", forward, reverse };
  cursor.problem("patch_malformed", "The reverse data of a binary patch cannot be read");
  return { kind: "binary", forward };
}
