// `GIT binary patch`: base85 lines whose first letter gives their length. Here only their form is checked.
import type { BinaryPart, SectionBody } from "../model.ts";
import { decodeLine } from "../binary/index.ts";
import type { Cursor } from "./cursor.ts";

function readPart(cursor: Cursor): BinaryPart | undefined {
  const match = /^(literal|delta) (0|[1-9]\d{0,9})$/.exec(cursor.peek());
  if (!match) return undefined;
  cursor.take();
  const start = cursor.at;
  while (!cursor.done && cursor.peek() !== "") {
    if (!decodeLine(cursor.peek())) return undefined;
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
