// Texts in columns.
import { describe, expect, it } from "vitest";
import { ends, fitLine, line, lineWidth, piece, plainOf, wrapLine } from "./line.ts";
import { fitText, plainSigns, splitAt, textWidth } from "./width.ts";

describe("the width of a text", () => {
  it.each([
    ["plain", 5],
    ["日本語", 6],
    ["ｆｕｌｌ", 8],
    ["🚀", 2],
    ["e\u0301", 1],
    ["한국", 4],
    ["🇩🇪", 2],
    ["→ ✔ ◆", 5],
  ])("%s takes %i columns", (text, columns) => expect(textWidth(text)).toBe(columns));

  it("the signs that are known to take one column are neither marks nor emoji in Unicode's tables", () => {
    const other: string[] = [];
    for (const [from, to] of plainSigns)
      for (let code = from; code <= to; code += 1)
        if (/[\p{M}\p{Cf}\p{Emoji_Presentation}]/u.test(String.fromCodePoint(code))) other.push(code.toString(16));
    expect(other).toEqual([]);
  });

  it("a text is cut at a character that fits, and says so", () => {
    expect(fitText("日本語", 5)).toBe("日本…");
    expect(fitText("日本語", 4)).toBe("日…");
    expect(fitText("short", 5)).toBe("short");
    expect(splitAt("a🚀b", 2)).toEqual(["a", "🚀b"]);
  });
});

describe("a line", () => {
  it("fits, keeps both of its ends, and wraps at words without losing one", () => {
    const long = line(piece("one two ", "bold"), "three 日本語 four");
    for (let columns = 8; columns < 40; columns += 1) {
      expect(lineWidth(fitLine(long, columns))).toBeLessThanOrEqual(columns);
      const wrapped = wrapLine(long, columns, "  ");
      expect(wrapped.every((one) => lineWidth(one) <= columns)).toBe(true);
      expect(wrapped.map(plainOf).join("").replaceAll(" ", "")).toBe("onetwothree日本語four");
    }
    const both = plainOf(ends(long, line("9 s"), 20));
    expect(both).toMatch(/^one two.*… +9 s$/);
    expect(textWidth(both)).toBe(20);
  });

  it("wraps inside a word that is wider than the line", () => {
    expect(wrapLine(line("abcdefghij"), 4).map(plainOf)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrapLine(line("abcd", "  ef"), 4).map(plainOf)).toEqual(["abcd", "ef"]);
  });
});
