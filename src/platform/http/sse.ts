// Reads server-sent events from a stream of bytes, by the WHATWG standard: fields, comments, any line end.

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** A server that sends a longer event is broken or hostile. */
const defaultLongest = 16 << 20;

export class EventTooLong extends Error {
  constructor() {
    super("an event of the stream is too long");
    this.name = "EventTooLong";
  }
}

/** Splits at LF, CR or CRLF. A CR at the very end of a piece is kept until the next piece. Each piece is scanned once. */
async function* lines(bytes: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<string> {
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
    if (length > longest) throw new EventTooLong();
    const last = rest.pop();
    if (last === undefined) continue;
    yield held.join("");
    yield* rest;
    held = [last];
    length = last.length;
  }
}

/** Yields an event when its blank line arrives, and drops text after the last blank line. */
export async function* serverEvents(
  bytes: AsyncIterable<Uint8Array>,
  longest = defaultLongest,
): AsyncGenerator<ServerEvent> {
  let event = "";
  let data: string[] = [];
  let first = true;
  let length = 0;
  for await (const given of lines(bytes, longest)) {
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
      if (length > longest) throw new EventTooLong();
    }
  }
}
