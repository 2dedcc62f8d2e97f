import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, plainLine, plainText } from "./plain.ts";

const esc = "\u001b";

describe("text shown to people", () => {
  it.each([
    ["colours", `${esc}[31mred${esc}[0m`, "red"],
    ["cursor moves that repaint the question", `apply?${esc}[2K${esc}[1Gall is well`, "apply?all is well"],
    ["window titles and links", `${esc}]8;;http://evil${esc}\\click${esc}]8;;${esc}\\`, "click"],
    ["the eight bit forms", "\u009b31mred\u009d0;title\u0007 ok", "red ok"],
    ["bidi overrides", "user\u202etxt.exe\u202c", "usertxt.exe"],
    ["isolates and marks", "a\u2066b\u2069c\u200fd\u061ce", "abcde"],
    ["zero width characters", "ap\u200bpro\u2060ve\ufeff", "approve"],
    ["tag characters", "safe\u{e0041}\u{e0042}\u{e007f}", "safe"],
    ["carriage returns", "delete all\rkeep all ", "delete allkeep all "],
    ["backspaces and bells", "rm\u0008\u0008ls\u0007", "rmls"],
    ["line separators and fillers", "a\u2028b\u3164c\u115fd", "abcd"],
    ["an unfinished sequence", `text${esc}[`, "text"],
  ])("[A1] loses %s", (_, given, expected) => {
    expect(plainText(given)).toBe(expected);
  });

  it("keeps ordinary text of any language, tabs and newlines", () => {
    const text = "Grüße,\tпривет\n你好 👍 `code` €";
    expect(plainText(text)).toBe(text);
  });

  it("[A1] holds no control, bidi or escape character whatever it was made of", () => {
    const nasty = fc.stringMatching(/^[\u0000-\u00ff\u2000-\u206f\u{e0000}-\u{e007f}]*$/u);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), nasty), (text) => {
        const shown = plainText(text);
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(shown.replaceAll(/[\t\n]/g, ""))).toBe(false);
        expect(shown.isWellFormed()).toBe(true);
        expect(plainText(shown)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  it("[A1] takes out what this Node's Unicode calls unseen, character by character, and nothing else", () => {
    const unseen = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n]]/v;
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      const character = String.fromCodePoint(code);
      // Half a pair is not text; a carriage return and an escape begin longer things.
      if (!character.isWellFormed()) continue;
      if ((plainText(character) === "") !== unseen.test(character)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it("cuts long text at a character and says so", () => {
    expect(clip("abcdef", 4)).toBe("abc…");
    expect(clip("ab👍cd", 4)).toBe("ab…");
    expect(plainLine("a\n  b\t c", 10)).toBe("a b c");
  });
});
