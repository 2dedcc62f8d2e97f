// Keeps what was captured: each answer as text, the page's HTML, and the text of an answer that never finished (T-33).
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diskFailure } from "../../../core/contract/index.ts";
import type { Answer, RunRequest } from "../../../core/contract/transport/index.ts";
import { writeAtomic, writeSpare } from "../sessions/atomic-file.ts";
import type { SessionFolder } from "../sessions/folder.ts";

/** Often enough to look on; seldom enough for an answer of megabytes. */
const pauseFor = (chars: number) => 200 + chars / 1_000;

export class AnswerFile {
  readonly #folder: SessionFolder;
  readonly #now: () => number;
  #kept = 0;
  #partial = "";
  #written = "";
  #lastWrite = 0;

  constructor(folder: SessionFolder, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  get charsSoFar(): number {
    return this.#partial.length;
  }

  /** Not at every call: an answer can come in thousands of pieces. */
  soFar(text: string): void {
    this.#partial = text;
    if (this.#now() - this.#lastWrite < pauseFor(text.length)) return;
    this.#lastWrite = this.#now();
    try {
      this.#writePartial(writeSpare);
    } catch (error) {
      // A disk without room ends no run: the whole answer is written in the room that is kept for it.
      if (diskFailure(error)?.failure.code !== "store_full") throw error;
    }
  }

  #writePartial(write: typeof writeSpare): void {
    if (this.#partial === this.#written) return;
    write(this.#folder.partial, this.#partial);
    this.#written = this.#partial;
  }

  /** The path of what had come when a run ended early, or null when nothing had. */
  unfinished(): string | null {
    if (this.#partial === "") return this.#kept > 0 ? this.#folder.answer : null;
    this.#writePartial(writeAtomic);
    return this.#folder.partial;
  }

  /** An earlier answer of the same run moves aside; the newest is always answer.md. */
  answer(answer: Answer, outputs: RunRequest["outputs"]): { path: string; htmlPath: string | null } {
    const { answer: path, answerHtml, partial, dir } = this.#folder;
    if (this.#kept > 0) {
      renameSync(path, join(dir, `answer-${this.#kept}.md`));
      rmSync(answerHtml, { force: true });
    }
    writeAtomic(path, answer.text);
    if (answer.html !== null) writeAtomic(answerHtml, answer.html);
    if (outputs.answer !== null) writeAtomic(outputs.answer, answer.text);
    rmSync(partial, { force: true });
    this.#partial = this.#written = "";
    this.#kept += 1;
    return { path, htmlPath: answer.html === null ? null : answerHtml };
  }
}
