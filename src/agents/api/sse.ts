// Server-sent events out of a stream of bytes, as the WHATWG standard says: fields, comments, any line end.
import { HttpFailure } from "./http.ts";

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** No line of a model's stream is longer; a server that sends one is broken or hostile. */
const longestLine = 16 << 20;

const tooLong = (): never => {
  throw new HttpFailure("broken", "an event of the stream is too long");
};

/** Splits at LF, CR or CRLF; a CR at the very end of a piece waits for what follows it. Each piece is looked at once. */
async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let held: string[] = [];
  let length = 0;
  let waiting = "";
  for await (const piece of bytes) {
    const text = waiting + decoder.decode(piece, { stream: true });
    waiting = text.endsWith("\r") ? "\r" : "";
    const [first = "", ...rest] = text.slice(0, text.length - waiting.length).split(/\r\n|\n|\r/);
    held.push(first);
    length += first.length;
    if (length > longestLine) tooLong();
    const last = rest.pop();
    if (last === undefined) continue;
    yield held.join("");
    yield* rest;
    held = [last];
    length = last.length;
  }
}

/** An event counts when its blank line has come; text after the last blank line is dropped. */
export async function* serverEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = "";
  let data: string[] = [];
  let first = true;
  let length = 0;
  for await (const given of lines(bytes)) {
    const line = first ? given.replace(/^\u{feff}/u, "") : given;
    first = false;
    if (line === "") {
      if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      length = 0;
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") {
      data.push(value);
      length += value.length;
      if (length > longestLine) tooLong();
    }
  }
}
