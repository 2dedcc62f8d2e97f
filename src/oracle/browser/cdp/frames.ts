// Cuts a stream of bytes into messages at one separator: a zero byte on the browser's pipe, a line end on our socket.
import { fail } from "../../../core/contract/index.ts";

/** A page's text, a screenshot and a snapshot fit many times over; a peer that never ends a message does not. */
const longest = 256 * 1024 * 1024;

export function frames(separator: number, onMessage: (text: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(separator); at >= 0; at = rest.indexOf(separator)) {
      const whole = Buffer.concat([...parts, rest.subarray(0, at)]).toString("utf8");
      parts = [];
      size = 0;
      rest = rest.subarray(at + 1);
      if (whole !== "") onMessage(whole);
    }
    if (rest.length === 0) return;
    size += rest.length;
    if (size > longest) fail("browser_gone", "The browser sent a message without an end.");
    parts.push(rest);
  };
}
