// Tones as a terminal shows them. Without colours, important text stays bold, underlined or reversed.
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

/** The last look at a text before the terminal sees it: no author of it can move the cursor. */
export const harmless = (text: string): string => text.replaceAll(/[\0-\u001f\u007f-\u009f]/g, "·");

/** Each piece as a text of its own, so that a screen can redraw one of them. */
export type Paint = (given: Line) => readonly { readonly text: string; readonly painted: string }[];

export function createPaint(color: boolean): Paint {
  const codes = color ? colours : attributes;
  return (line) =>
    line.map(({ text: given, tone }) => {
      const text = harmless(given);
      return { text, painted: codes[tone] === "" ? text : `\u001b[${codes[tone]}m${text}\u001b[m` };
    });
}
