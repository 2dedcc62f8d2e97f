// Turns a stream of events into lines for a person who waits, while it comes. Nothing is decided by them.
import { StringDecoder } from "node:string_decoder";
import { plainLine } from "../../contract/index.ts";
import { type JsonLine, jsonLines } from "./lines.ts";

/** A longer line is some tool's output; it is not worth holding. */
const longest = 1024 ** 2;

export function telling(
  tell: (event: JsonLine) => string | undefined,
  progress: (line: string) => void,
): (stream: "stdout" | "stderr", chunk: Uint8Array) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (stream, chunk) => {
    if (stream !== "stdout") return;
    const lines = (rest + decoder.write(Buffer.from(chunk))).split("\n");
    rest = (lines.pop() ?? "").slice(0, longest);
    for (const event of jsonLines(lines.join("\n"))) {
      const text = tell(event);
      if (text) progress(plainLine(text, 200));
    }
  };
}
