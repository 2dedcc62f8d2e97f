// Frames as bytes.
import { describe, expect, it } from "vitest";
import { line, piece } from "../text/line.ts";
import { createPaint } from "../text/paint.ts";
import { keysOf } from "./keys.ts";
import { createScreen } from "./screen.ts";

const size = { columns: 40, rows: 4 };

function open(color = true) {
  const writes: string[] = [];
  const screen = createScreen((bytes) => void writes.push(bytes), createPaint(color));
  return { screen, writes };
}

describe("a screen", () => {
  it("writes a frame once, in one write, and only the piece that differs afterwards", () => {
    const { screen, writes } = open();
    const frame = (seconds: number) => [line("title"), line("works ", piece(`${seconds} s`, "bold"), " of 9 min")];
    screen.draw(frame(1), size);
    screen.draw(frame(1), size);
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s);
    screen.draw(frame(2), size);
    expect(writes[1]).toBe("\u001b[?2026h\u001b[2;7H\u001b[1m2 s\u001b[m\u001b[?2026l");
    screen.draw([line("title")], size);
    expect(writes[2]).toBe("\u001b[?2026h\u001b[2;1H\u001b[K\u001b[?2026l");
  });

  it("draws everything anew after a resize, and no colour where none is wanted", () => {
    const { screen, writes } = open(false);
    screen.draw([line(piece("good", "good"), piece("word", "addedWord"))], size);
    screen.draw([line(piece("good", "good"))], { ...size, columns: 30 });
    expect(writes[0]).toContain("good\u001b[4mword\u001b[m");
    expect(writes[1]).toContain("\u001b[2J");
  });
});

describe("a hostile text", () => {
  it("moves no cursor, sets no title and ends no frame", () => {
    const { screen, writes } = open();
    screen.draw([line("a\u001b]0;title\u0007b\u009b2J\rc\n")], size);
    expect(writes[0]).toContain("a·]0;title·b·2J·c·");
  });
});

describe("keys", () => {
  it.each([
    ["a\r", ["a", "enter"]],
    ["\u001b[A\u001b[6~", ["up", "page down"]],
    ["\u001b", ["escape"]],
    ["\u001b[200~x", ["x"]],
    ["\u0003é", ["ctrl-c", "é"]],
  ])("%j is read as %j", (typed, keys) => expect(keysOf(typed)).toEqual(keys));
});
