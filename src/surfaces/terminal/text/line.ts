// A line of the screen: pieces of plain text, each with a tone. Tones become colours when the line is painted.
import { fitText, splitAt, textWidth } from "./width.ts";

export type Tone =
  | "plain"
  | "bold"
  | "dim"
  | "good"
  | "bad"
  | "ask"
  | "info"
  | "added"
  | "removed"
  | "addedWord"
  | "removedWord"
  | "chosen";

export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Piece[];

export const piece = (text: string, tone: Tone = "plain"): Piece => ({ text, tone });

/** A line of texts and pieces. */
export const line = (...parts: readonly (string | Piece)[]): Line =>
  parts.map((part) => (typeof part === "string" ? piece(part) : part)).filter(({ text }) => text !== "");

export const lineWidth = (given: Line): number => given.reduce((sum, { text }) => sum + textWidth(text), 0);

export const plainOf = (given: Line): string => given.map(({ text }) => text).join("");

/** The line in at most `columns`. */
export function fitLine(given: Line, columns: number): Line {
  if (lineWidth(given) <= columns) return given;
  const fitted: Piece[] = [];
  let left = columns;
  for (const { text, tone } of given) {
    const width = textWidth(text);
    fitted.push(piece(width < left ? text : fitText(`${text} `, left), tone));
    left -= width;
    if (left <= 0) break;
  }
  return fitted;
}

/** `left` and `right` at the two ends of a line; the left one is cut where they do not fit. */
export function ends(left: Line, right: Line, columns: number): Line {
  const room = columns - lineWidth(right);
  if (room < 8) return fitLine(left, columns);
  const fitted = fitLine(left, room - 1);
  return [...fitted, piece(" ".repeat(room - lineWidth(fitted))), ...right];
}

/** Wraps at words, and inside a word that is wider than the line. Further lines begin with `indent`. */
export function wrapLine(given: Line, columns: number, indent = ""): readonly Line[] {
  if (lineWidth(given) <= columns) return [given];
  const lines: Piece[][] = [[]];
  let used = 0;
  const add = (text: string, tone: Tone) => {
    lines.at(-1)?.push(piece(text, tone));
    used += textWidth(text);
  };
  const fresh = () => {
    lines.push(indent === "" ? [] : [piece(indent)]);
    used = textWidth(indent);
  };
  for (const { text, tone } of given)
    for (const word of text.split(/(?<= )/)) {
      let rest = word;
      // A space that does not fit is dropped.
      if (rest.trim() === "" && used + textWidth(rest) > columns) continue;
      if (used + textWidth(rest.trimEnd()) > columns && used > textWidth(indent)) fresh();
      while (used + textWidth(rest) > columns) {
        const [head, tail] = splitAt(rest, Math.max(1, columns - used));
        // Spaces at the end of a row are dropped; a character that is wider than the row cannot be shown.
        if (tail.trim() === "" || head === "") {
          rest = head === "" ? rest : head;
          break;
        }
        add(head, tone);
        fresh();
        rest = tail;
      }
      add(rest, tone);
    }
  return lines.map((pieces) => fitLine(pieces, columns));
}

/** A text of several lines, wrapped. */
export const wrapText = (text: string, columns: number, tone: Tone = "plain", indent = ""): readonly Line[] =>
  text.split("\n").flatMap((one) => wrapLine(line(piece(one.replaceAll("\t", "    "), tone)), columns, indent));
