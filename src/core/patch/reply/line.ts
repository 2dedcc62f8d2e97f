// A position in one line, in columns as CommonMark counts them: a tab reaches the next multiple of 4.

export class LineCursor {
  readonly text: string;
  at = 0;
  column = 0;
  /** Columns of the tab at `at` that are already consumed. */
  #used = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The columns of blank space ahead, and the offset of the text after it. */
  ahead(): { indent: number; next: number; blank: boolean } {
    let next = this.at;
    let column = this.column;
    for (; next < this.text.length; next++) {
      const char = this.text[next];
      if (char === " ") column++;
      else if (char === "\t") column += 4 - (column % 4);
      else break;
    }
    return { indent: column - this.column, next, blank: next >= this.text.length };
  }

  /** Moves over at most `columns` of blank space; a tab may be consumed in part. */
  skipColumns(columns: number): void {
    let left = columns;
    while (left > 0) {
      const char = this.text[this.at];
      if (char === " ") {
        this.at++;
        this.column++;
        left--;
      } else if (char === "\t") {
        const width = 4 - (this.column % 4);
        const step = Math.min(width, left);
        this.column += step;
        left -= step;
        if (step === width) {
          this.at++;
          this.#used = 0;
        } else this.#used += step;
      } else return;
    }
  }

  /** Moves over `count` characters other than blank space. */
  skipChars(count: number): void {
    this.at += count;
    this.column += count;
  }

  skipBlank(): void {
    this.skipColumns(this.ahead().indent);
  }

  /** The rest of the line; the unused columns of a tab become spaces. */
  rest(): string {
    if (this.#used === 0) return this.text.slice(this.at);
    return " ".repeat(4 - (this.column % 4)) + this.text.slice(this.at + 1);
  }
}
