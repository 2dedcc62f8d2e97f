// The answer on a terminal as it comes. A page's text may change while it comes, and what is captured in the end may be
// written otherwise: then the whole answer is printed once more, and nothing is mixed.
import { plainText } from "../../core/contract/index.ts";
import type { Io } from "../argv/index.ts";

export class AnswerStream {
  readonly #io: Io;
  #shown = "";

  constructor(io: Io) {
    this.#io = io;
  }

  soFar(text: string): void {
    if (text.startsWith(this.#shown)) this.#io.out(plainText(text.slice(this.#shown.length)));
    else if (text !== "") this.#io.out(`${this.#shown === "" ? "" : "\n"}${plainText(text)}`);
    this.#shown = text;
  }

  /** The part of the answer that is still to be printed. */
  rest(answer: string): string {
    const shown = this.#shown;
    this.#shown = "";
    if (answer.startsWith(shown)) return answer.slice(shown.length);
    return `\n\n--- the answer as it was captured ---\n${answer}`;
  }
}
