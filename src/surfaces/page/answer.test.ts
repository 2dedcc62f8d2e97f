import { describe, expect, it } from "vitest";
import { readAnswer } from "./answer.ts";

const read = (text: string): string => readAnswer<{ text: string }>(JSON.stringify({ text })).text;

describe("[B-5] answers as the page reads them", () => {
  it.each([
    ["a turned order", "user\u202etxt.exe", "user‹U+202E›txt.exe"],
    ["a hidden character", "ap\u200bprove", "ap‹U+200B›prove"],
    ["a tag character", "a\u{e0041}b", "a‹U+E0041›b"],
    ["a terminal's sequence", "\u001b[2Jall is well", "‹U+001B›[2Jall is well"],
    ["its eight bit form", "\u009b2J", "‹U+009B›2J"],
    ["a control behind a backslash", "\\\u0007", "\\‹U+0007›"],
  ])("name %s", (_, given, shown) => {
    expect(read(given)).toBe(shown);
  });

  it.each(["\\u001b as a text", "\\\\u0007", "Grüße\tпривет\n你好 👩‍💻 ❤️", '"quoted"'])("leave %j alone", (text) => {
    expect(read(text)).toBe(text);
  });
});
