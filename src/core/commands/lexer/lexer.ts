// Splits one simple command into words, assignments and redirections by the shell's quoting rules. The grammar gives the
// range of commands, this lexer their words; both must agree on the end.
import type { Span } from "../../contract/index.ts";
import { decodeAnsi } from "./expand.ts";

export type WordPiece =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  /** `$x` or `${x…}`; `rest` is the text after the name inside the braces. */
  | { readonly kind: "variable"; readonly name: string; readonly rest: string; readonly quoted: boolean }
  /** `$(…)`; `source` is the text in it, empty when the line defines functions or aliases. */
  | { readonly kind: "output"; readonly source: string; readonly quoted: boolean }
  /** Arithmetic and similar: unknown text without side effects. */
  | { readonly kind: "value"; readonly quoted: boolean };

export interface Word {
  readonly pieces: readonly WordPiece[];
  readonly span: Span;
}

export interface Assignment {
  readonly name: string;
  readonly values: readonly Word[];
  readonly span: Span;
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
  readonly span: Span;
}

export interface SimpleCommand {
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly end: number;
}

/** From start to end of each substitution and expansion in the grammar's tree. */
export type Nested = ReadonlyMap<number, number>;

/** Thrown when grammar and lexer read a line differently. */
export class Disagreement extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const redirectPattern = /(?:\d+|\{[A-Za-z_]\w*\})?(<<<|<>|>>|>\||>&|<&|&>>|&>|<|>)/y;
const assignmentPattern = /([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/y;
const blank = /(?:[ \t]|\\\r?\n)+/y;

/** Functions and aliases: then the output of a command does not follow from its name. */
const makesCommands = /\(\s*\)|\bfunction\b|\balias\b/;

const matchAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

export function readSimpleCommand(text: string, start: number, limit: number, nested: Nested): SimpleCommand {
  const reader = new Reader(text, limit, nested);
  return reader.command(start);
}

/** Reads every word of a range, for lists such as those of `for` and of arrays. */
export function readWords(text: string, start: number, limit: number, nested: Nested): Word[] {
  return [...new Reader(text, limit, nested).command(start).words];
}

const nameOf = ({ name, span }: Assignment): Word => ({
  pieces: [{ kind: "text", text: `${name}=`, quoted: false }],
  span,
});

class Reader {
  private readonly text: string;
  private readonly limit: number;
  private readonly nested: Nested;
  private at = 0;

  constructor(text: string, limit: number, nested: Nested) {
    this.text = text;
    this.limit = limit;
    this.nested = nested;
  }

  command(start: number): SimpleCommand {
    this.at = start;
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const space = matchAt(blank, this.text, this.at);
      if (space) this.at += space[0].length;
      if (this.at >= this.limit || this.atOperator()) break;
      const redirect = this.redirect();
      if (redirect) redirects.push(redirect);
      else {
        const assignment = words.length === 0 || this.declaresArray(words) ? this.assignment() : undefined;
        if (assignment) assignments.push(assignment);
        // A declaration is a command whose arguments are the declared names.
        if (assignment && words.length > 0) words.push(nameOf(assignment));
        if (!assignment) words.push(this.word());
      }
    }
    return { assignments, words, redirects, end: Math.min(this.at, this.limit) };
  }

  /** `declare -A m=(…)`: an array may follow only after these words. */
  private declaresArray(words: readonly Word[]): boolean {
    const first = words[0]?.pieces.map((piece) => (piece.kind === "text" ? piece.text : "$")).join("");
    return (
      /^(declare|typeset|local|export|readonly)$/.test(first ?? "") &&
      matchAt(/[A-Za-z_]\w*\+?=\(/y, this.text, this.at) !== null
    );
  }

  private atOperator(): boolean {
    const char = this.text[this.at] ?? "";
    if (char === "&") return this.text[this.at + 1] !== ">";
    if (char === "#") return true;
    return ";|()\n".includes(char);
  }

  private redirect(): Redirect | undefined {
    const match = matchAt(redirectPattern, this.text, this.at);
    if (!match) return undefined;
    const start = this.at;
    const after = this.at + match[0].length;
    const operator = match[1] ?? "";
    if ((operator === "<" || operator === ">") && this.text[after] === "(") return undefined;
    this.at = after;
    const space = matchAt(blank, this.text, this.at);
    if (space) this.at += space[0].length;
    const closing = /^(?:\d*-|\d+)(?![^\s;&|()<>])/.exec(this.text.slice(this.at, this.at + 16));
    if (operator.endsWith("&") && closing) this.at += closing[0].length;
    const target = operator.endsWith("&") && closing ? { pieces: [], span: { start, end: this.at } } : this.word();
    return { operator, target, span: { start, end: this.at } };
  }

  private assignment(): Assignment | undefined {
    const match = matchAt(assignmentPattern, this.text, this.at);
    if (!match) return undefined;
    const start = this.at;
    const name = match[1] ?? "";
    this.at += match[0].length;
    if (match[2] !== undefined && /[$`]/.test(match[2])) throw new Disagreement(start, "A computed subscript");
    const values = this.text[this.at] === "(" ? this.array() : [this.word(true)];
    return { name, values, span: { start, end: this.at } };
  }

  private array(): Word[] {
    const words: Word[] = [];
    this.at += 1;
    for (;;) {
      const space = matchAt(/[\s]+/y, this.text, this.at);
      if (space) this.at += space[0].length;
      if (this.at >= this.limit) throw new Disagreement(this.at, "An array without an end");
      if (this.text[this.at] === ")") break;
      const before = this.at;
      words.push(this.word());
      if (this.at === before) throw new Disagreement(this.at, "An array this judge cannot read");
    }
    this.at += 1;
    return words;
  }

  word(mayBeEmpty = false): Word {
    const start = this.at;
    const pieces: WordPiece[] = [];
    while (this.at < this.limit && this.piece(pieces));
    if (this.at === start && !mayBeEmpty) throw new Disagreement(start, "A word was expected");
    return { pieces, span: { start, end: this.at } };
  }

  /** One step outside quotes; false at the end of the word. */
  private piece(pieces: WordPiece[]): boolean {
    const char = this.text[this.at] ?? "";
    if (char === "<" || char === ">") {
      if (this.text[this.at + 1] !== "(") return false;
      this.jump(pieces, "output", false);
      return true;
    }
    if (/[\s;&|()]/.test(char)) return false;
    if (char === "'") {
      const end = this.text.indexOf("'", this.at + 1);
      if (end < 0 || end >= this.limit) throw new Disagreement(this.at, "A quote without an end");
      pieces.push({ kind: "text", text: this.text.slice(this.at + 1, end), quoted: true });
      this.at = end + 1;
      return true;
    }
    if (char === '"') {
      this.double(pieces);
      return true;
    }
    if (char === "$" && this.text[this.at + 1] === '"') {
      this.at += 1;
      this.double(pieces);
      return true;
    }
    if (char === "$" && this.text[this.at + 1] === "'") {
      this.ansi(pieces);
      return true;
    }
    if (char === "\\") {
      this.escape(pieces);
      return true;
    }
    if (char === "$" || char === "`") {
      this.dollar(pieces, false);
      return true;
    }
    const whole = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    pieces.push({ kind: "text", text: whole, quoted: false });
    this.at += whole.length;
    return true;
  }

  private escape(pieces: WordPiece[]): void {
    const next = this.text[this.at + 1];
    if (next === undefined) throw new Disagreement(this.at, "A backslash at the end of the line");
    if (next !== "\n") pieces.push({ kind: "text", text: next, quoted: true });
    this.at += 2;
  }

  private ansi(pieces: WordPiece[]): void {
    let end = this.at + 2;
    while (end < this.limit && this.text[end] !== "'") end += this.text[end] === "\\" ? 2 : 1;
    if (end >= this.limit) throw new Disagreement(this.at, "A quote without an end");
    pieces.push({ kind: "text", text: decodeAnsi(this.text.slice(this.at + 2, end)), quoted: true });
    this.at = end + 1;
  }

  private double(pieces: WordPiece[]): void {
    const start = this.at;
    pieces.push({ kind: "text", text: "", quoted: true });
    for (this.at += 1; this.text[this.at] !== '"';) {
      if (this.at >= this.limit) throw new Disagreement(start, "A quote without an end");
      const char = this.text[this.at] ?? "";
      if (char === "\\") {
        const next = this.text[this.at + 1] ?? "";
        if (next !== "\n") pieces.push({ kind: "text", text: /[$`"\\]/.test(next) ? next : `\\${next}`, quoted: true });
        this.at += 2;
      } else if (char === "$" || char === "`") this.dollar(pieces, true);
      else {
        pieces.push({ kind: "text", text: char, quoted: true });
        this.at += 1;
      }
    }
    this.at += 1;
  }

  private dollar(pieces: WordPiece[], quoted: boolean): void {
    const rest = this.text.slice(this.at, this.at + 3);
    if (rest.startsWith("$((") || rest.startsWith("$[")) return this.jump(pieces, "value", quoted);
    if (rest.startsWith("$(") || rest.startsWith("`")) return this.jump(pieces, "output", quoted);
    if (rest.startsWith("${")) return this.braces(pieces, quoted);
    const name = matchAt(/\$([A-Za-z_]\w*|[0-9@*#?$!-])/y, this.text, this.at);
    if (name) {
      pieces.push({ kind: "variable", name: name[1] ?? "", rest: "", quoted });
      this.at += name[0].length;
    } else {
      pieces.push({ kind: "text", text: "$", quoted });
      this.at += 1;
    }
  }

  private end(): number {
    const end = this.nested.get(this.at);
    if (end === undefined || end > this.limit)
      throw new Disagreement(this.at, "A substitution that the grammar does not see");
    return end;
  }

  private jump(pieces: WordPiece[], kind: "output" | "value", quoted: boolean): void {
    const [start, end] = [this.at, this.end()];
    if (kind === "value") pieces.push({ kind, quoted });
    else pieces.push({ kind, source: makesCommands.test(this.text) ? "" : this.inside(start, end), quoted });
    this.at = end;
  }

  /** The text between `$(` and `)`, or between backticks. */
  private inside(start: number, end: number): string {
    return this.text.slice(start + (this.text[start] === "`" ? 1 : 2), end - 1);
  }

  private braces(pieces: WordPiece[], quoted: boolean): void {
    const end = this.end();
    const inner = this.text.slice(this.at + 2, end - 1);
    const match = /^([A-Za-z_]\w*|[0-9@*#?$!-]+)([^]*)$/.exec(inner);
    if (match) pieces.push({ kind: "variable", name: match[1] ?? "", rest: match[2] ?? "", quoted });
    else if (inner.startsWith("!")) pieces.push({ kind: "variable", name: "!", rest: inner.slice(1), quoted });
    else pieces.push({ kind: "value", quoted });
    this.at = end;
  }
}
