// Paints tones for a terminal. Without colours important text is bold or underlined.
import type { Line, Tone } from "./line.ts";

const colours: Readonly<Record<Tone, string>> = {
  plain: "",
  bold: "1",
  dim: "2",
  good: "32",
  bad: "31",
  ask: "33",
  info: "36",
  added: "32",
  removed: "31",
  addedWord: "30;42",
  removedWord: "30;41",
  chosen: "1;36",
};

const attributes: Readonly<Record<Tone, string>> = {
  ...colours,
  good: "",
  bad: "",
  ask: "1",
  info: "",
  added: "",
  removed: "",
  addedWord: "4",
  removedWord: "4",
  chosen: "1",
};

/** Replaces control characters, so no text can move the cursor. */
const harmless = (text: string): string => text.replaceAll(/[\0-\u001f\u007f-\u009f]/g, "·");

/** Paints each piece separately, so that a screen can redraw one of them. */
export type Paint = (given: Line) => readonly { readonly text: string; readonly painted: string }[];

export function createPaint(color: boolean): Paint {
  const codes = color ? colours : attributes;
  return (line) =>
    line.map(({ text: given, tone }) => {
      const text = harmless(given);
      return { text, painted: codes[tone] === "" ? text : `\u001b[${codes[tone]}m${text}\u001b[m` };
    });
}

/** Lines as a text for a terminal or a pipe. */
export function textOf(lines: readonly Line[], color: boolean): string {
  const paint = createPaint(color);
  const painted = (one: Line) =>
    color
      ? paint(one)
          .map((part) => part.painted)
          .join("")
      : one.map(({ text }) => harmless(text)).join("");
  return lines.map((one) => painted(one).trimEnd()).join("\n");
}
