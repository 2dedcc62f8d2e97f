// The position of the parser in a patch, with the problems and names found so far. Header lines may end in CRLF if all
// of them do; content lines keep their line ends.
import type { PatchReason } from "../reasons.ts";
import type { Name } from "../model.ts";

export interface Problem {
  readonly reason: PatchReason;
  readonly message: string;
  /** 1-based line of the patch. */
  readonly line: number;
  readonly path?: string;
}

/** A name in any header of the patch. */
export interface NameAt {
  readonly name: Name;
  readonly where: string;
  readonly line: number;
  /** False for a `---` or `+++` name that its own header contradicts. */
  readonly agrees: boolean;
}

/** A larger patch is refused as too large, and reading stops. */
export interface ReadLimits {
  readonly files: number;
  readonly hunks: number;
}

const mostProblems = 64;

export class Cursor {
  readonly text: string;
  readonly limits: ReadLimits;
  at = 0;
  line = 1;
  hunks = 0;
  readonly problems: Problem[] = [];
  readonly names: Omit<NameAt, "agrees">[] = [];
  readonly disagreeing = new Set<Name>();
  readonly ends = { lf: false, crlf: false };

  constructor(text: string, limits: ReadLimits) {
    this.text = text;
    this.limits = limits;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** Ends reading: the patch is refused already, and the rest cannot change that. */
  stop(): void {
    this.at = this.text.length;
  }

  tooLarge(message: string): void {
    this.problem("too_large", message);
    this.stop();
  }

  starts(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** Offset after the current line and its line end. */
  lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end === -1 ? this.text.length : end + 1;
  }

  nextLineStarts(prefix: string): boolean {
    return this.text.startsWith(prefix, this.lineEnd());
  }

  /** The current line without its line end, truncated to 65,536 bytes: no header is longer. */
  peek(): string {
    const end = this.lineEnd();
    const cut = Math.min(end, this.at + 65_536);
    return this.text.slice(this.at, cut).replace(/\r?\n$/, "");
  }

  skip(): void {
    this.at = this.lineEnd();
    this.line += 1;
  }

  /** Reads a header line and records its line end. */
  take(): string {
    const text = this.peek();
    const end = this.lineEnd();
    if (this.text[end - 1] !== "\n")
      this.problem("hunk_count_mismatch", "The patch is cut off: its last line has no end");
    else if (this.text[end - 2] === "\r") this.ends.crlf = true;
    else this.ends.lf = true;
    this.skip();
    return text;
  }

  problem(reason: PatchReason, message: string, more: { line?: number; path?: string } = {}): void {
    if (this.problems.length >= mostProblems) {
      this.stop();
      return;
    }
    const { line = this.line, path } = more;
    this.problems.push(path === undefined ? { reason, message, line } : { reason, message, line, path });
  }
}
