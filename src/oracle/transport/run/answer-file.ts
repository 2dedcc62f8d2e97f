// Stores answers: each as text, the page's HTML, and the text of an answer that never finished (T-33).
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diskFailure } from "../../../core/contract/index.ts";
import type { Answer, RunRequest } from "../../../core/contract/transport/index.ts";
import { writeAtomic, writeSpare } from "../sessions/atomic-file.ts";
import type { SessionFolder } from "../sessions/folder.ts";

/** Milliseconds between two writes of a partial answer: 200, and more for a long one. */
const writeIntervalMs = (chars: number) => 200 + chars / 1_000;

export class AnswerFile {
  readonly #folder: SessionFolder;
  readonly #now: () => number;
  #answers = 0;
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

  /** Writes at intervals: an answer can arrive in thousands of pieces. */
  soFar(text: string): void {
    this.#partial = text;
    if (this.#now() - this.#lastWrite < writeIntervalMs(text.length)) return;
    this.#lastWrite = this.#now();
    try {
      this.#writePartial(writeSpare);
    } catch (error) {
      // A full disk does not end the run: the whole answer is written into the reserved space.
      if (diskFailure(error)?.failure.code !== "store_full") throw error;
    }
  }

  #writePartial(write: typeof writeSpare): void {
    if (this.#partial === this.#written) return;
    write(this.#folder.partial, this.#partial);
    this.#written = this.#partial;
  }

  /** The path of the text that had arrived when a run ended early; null when there was none. */
  unfinished(): string | null {
    if (this.#partial === "") return this.#answers > 0 ? this.#folder.answer : null;
    this.#writePartial(writeAtomic);
    return this.#folder.partial;
  }

  /** Renames an earlier answer of the same run; the newest is always answer.md. */
  answer(answer: Answer, outputs: RunRequest["outputs"]): { path: string; htmlPath: string | null } {
    const { answer: path, answerHtml, partial, dir } = this.#folder;
    if (this.#answers > 0) {
      renameSync(path, join(dir, `answer-${this.#answers}.md`));
      rmSync(answerHtml, { force: true });
    }
    writeAtomic(path, answer.text);
    if (answer.html !== null) writeAtomic(answerHtml, answer.html);
    if (outputs.answer !== null) writeAtomic(outputs.answer, answer.text);
    rmSync(partial, { force: true });
    this.#partial = this.#written = "";
    this.#answers += 1;
    return { path, htmlPath: answer.html === null ? null : answerHtml };
  }
}
