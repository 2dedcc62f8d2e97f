import { expect, it } from "vitest";
import { frames } from "./client.ts";

it("messages are whole however the stream is cut, also within a letter", () => {
  const text = "ä\0\0longer message ☃\0rest";
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size += 1) {
    const got: string[] = [];
    const feed = frames(0, (message) => got.push(message));
    for (let at = 0; at < bytes.length; at += size) feed(bytes.subarray(at, at + size));
    expect(got).toEqual(["ä", "longer message ☃"]);
  }
});
