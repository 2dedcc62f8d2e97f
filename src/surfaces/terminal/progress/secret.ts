// Asks for one line at the terminal without showing it: a value that belongs on no screen and in no history.
import type { TerminalDevice } from "../../../core/contract/index.ts";

const cancels = ["\u0003", "\u0004"];
const erases = ["\u007f", "\b"];

/** The typed line; null when the person presses Ctrl-C or Ctrl-D. A pasted text with line ends is one value. */
export function askSecret(
  device: Pick<TerminalDevice, "take">,
  question: string,
  write: (text: string) => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    let typed = "";
    const end = (value: string | null): void => {
      taken[Symbol.dispose]();
      write("\n");
      resolve(value?.replace(/\n$/, "") ?? null);
    };
    const text = (piece: string): void => {
      // One key, or a paste: a line end inside of a paste belongs to the value.
      const pasted = piece.length > 1 && /[\r\n]./s.test(piece);
      // A key like an arrow is no part of a value.
      if (piece.startsWith("\u001b")) return;
      if (pasted) {
        typed += piece.replaceAll(/\r\n?/g, "\n");
        return;
      }
      for (const character of piece) {
        if (cancels.includes(character)) return end(null);
        if (character === "\r" || character === "\n") return end(typed);
        if (erases.includes(character)) typed = [...typed].slice(0, -1).join("");
        else if (character === "\u0015") typed = "";
        else if (character >= " ") typed += character;
      }
    };
    const taken = device.take({ text, changed: () => undefined }, () => "");
    // Who sees the question may type at once: the terminal shows no keys any more.
    write(question);
  });
}
