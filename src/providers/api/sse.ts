// Server-sent events out of a stream of bytes, as the WHATWG standard says: fields, comments, any line end.
import { HttpFailure } from "./http.ts";

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** No line of a model's stream is longer; a server that sends one is broken or hostile. */
const longestLine = 16 << 20;

/** Splits at LF, CR or CRLF; a CR at the very end of a piece waits for what follows it. */
async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true });
    const found = rest.split(/\r\n|\n|\r(?!$)/);
    rest = found.pop() ?? "";
    yield* found;
    if (rest.length > longestLine) throw new HttpFailure("broken", "a line of the event stream is too long");
  }
}

/** An event counts when its blank line has come; what stands after the last one is dropped. */
export async function* serverEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = "";
  let data: string[] = [];
  let first = true;
  for await (const given of lines(bytes)) {
    const line = first ? given.replace(/^\u{feff}/u, "") : given;
    first = false;
    if (line === "") {
      if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
}
