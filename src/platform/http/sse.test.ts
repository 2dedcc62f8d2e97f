import { describe, expect, it } from "vitest";
import { serverEvents } from "./sse.ts";

async function* chop(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size: number) {
  const found = [];
  for await (const event of serverEvents(chop(text, size))) found.push(event);
  return found;
}

describe("server-sent events", () => {
  const stream =
    ": a comment\nevent: a\ndata: one\ndata: två ✓\n\nid: 7\r\ndata:x\r\n\r\ndata\rdata:\r\revent: lost\n\ndata: [DONE]\n\ndata: unfinished\n";
  const wanted = [
    { event: "a", data: "one\ntvå ✓" },
    { event: "message", data: "x" },
    { event: "message", data: "\n" },
    { event: "message", data: "[DONE]" },
  ];

  it.each([1, 2, 3, 7, 1000])("are the same however the bytes are cut (%i at a time)", async (size) => {
    expect(await read(stream, size)).toEqual(wanted);
  });

  it("a byte order mark at the start is not part of the first field", async () => {
    expect(await read("\u{feff}data: x\n\n", 2)).toEqual([{ event: "message", data: "x" }]);
  });
});
