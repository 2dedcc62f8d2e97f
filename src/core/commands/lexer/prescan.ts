// Scans a line once before the grammar: extracts here-documents, which the grammar cannot parse reliably, and replaces them
// by blanks, so that every offset stays valid. Also finds hidden and lookalike characters.
import type { Span } from "../../contract/index.ts";

interface Heredoc {
  readonly body: string;
  /** The delimiter is quoted: the shell does not expand the body. */
  readonly verbatim: boolean;
}

export interface Prescan {
  readonly text: string;
  /** By the offset of the delimiter word, which now follows a plain `<`. */
  readonly heredocs: ReadonlyMap<number, Heredoc>;
  /** A line continuation inside a word: `r\⏎m`. */
  readonly splitsWord: boolean;
}

type Context = "command" | "paren" | "quote" | "backtick" | "braces" | "arithmetic" | "case";

interface Pending {
  readonly at: number;
  readonly delimiter: string;
  readonly verbatim: boolean;
  readonly dash: boolean;
}

const isBlank = (char: string | undefined) => char === undefined || char === " " || char === "\t" || char === "\n";

const heredocOperator = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\[^\n]|[^\s'"\\|&;()<>`$])+)/y;

/** Undefined when a quote or a here-document has no end. */
export function prescan(line: string): Prescan | undefined {
  return new Scanner(line).scan();
}

class Scanner {
  private readonly line: string;
  private readonly out: string[];
  private readonly stack: Context[] = ["command"];
  private readonly heredocs = new Map<number, Heredoc>();
  private pending: Pending[] = [];
  private splitsWord = false;
  /** The offset of the last escaped character; -2 before the first. */
  private escapedAt = -2;
  private at = 0;

  constructor(line: string) {
    this.line = line;
    this.out = [...Array(line.length).keys()].map((index) => line[index] ?? "");
  }

  scan(): Prescan | undefined {
    while (this.at < this.line.length) if (!this.step()) return undefined;
    if (this.pending.length > 0) return undefined;
    // With here-documents, a scan with unclosed contexts is not reliable.
    if (this.heredocs.size > 0 && this.stack.length > 1) return undefined;
    return { text: this.out.join(""), heredocs: this.heredocs, splitsWord: this.splitsWord };
  }

  private get top(): Context {
    return this.stack.at(-1) ?? "command";
  }

  private starts(text: string): boolean {
    return this.line.startsWith(text, this.at);
  }

  private push(context: Context, length: number): true {
    this.stack.push(context);
    this.at += length;
    return true;
  }

  private pop(length: number): true {
    if (this.stack.length > 1) this.stack.pop();
    this.at += length;
    return true;
  }

  private step(): boolean {
    const char = this.line[this.at];
    if (char === "\\") return this.escape();
    if (this.starts("$((")) return this.push("arithmetic", 3);
    if (this.starts("$(")) return this.push("paren", 2);
    if (this.starts("${")) return this.push("braces", 2);
    if (char === "`") return this.backtick();
    if (char === '"') return this.top === "quote" ? this.pop(1) : this.push("quote", 1);
    if (this.top === "quote") return this.skip(1);
    return this.unquoted(char ?? "");
  }

  private unquoted(char: string): boolean {
    if (this.starts("$'") && !this.bracesInQuotes()) return this.ansi();
    if (char === "'" && !this.bracesInQuotes()) return this.single();
    if (this.top === "braces") return char === "}" ? this.pop(1) : this.skip(1);
    if (this.top === "arithmetic") return this.arithmetic(char);
    const word = this.keyword(char);
    if (word === "case") return this.push("case", 4);
    if (word === "esac" && this.top === "case") return this.pop(4);
    if (this.starts("<(") || this.starts(">(")) return this.push("paren", 2);
    if (char === "(") return this.push(this.starts("((") ? "arithmetic" : "paren", this.starts("((") ? 2 : 1);
    if (char === ")") return this.top === "paren" ? this.pop(1) : this.skip(1);
    if (char === "#" && this.escapedAt !== this.at - 1 && isCommentStart(this.line[this.at - 1])) return this.comment();
    if (this.starts("<<<")) return this.skip(3);
    if (this.starts("<<")) return this.heredoc();
    if (char === "\n" && this.pending.length > 0) return this.bodies();
    return this.skip(1);
  }

  /** Between `case` and `esac` a closing parenthesis only ends a pattern. */
  private keyword(char: string): string | undefined {
    if ((char !== "c" && char !== "e") || !/[\s;&|()]/.test(this.line[this.at - 1] ?? " ")) return undefined;
    return /^(case|esac)(?![^\s;&|()<>])/.exec(this.line.slice(this.at, this.at + 5))?.[1];
  }

  private skip(length: number): true {
    this.at += length;
    return true;
  }

  /** Inside `"${x:-'y'}"` a single quote is a plain character. */
  private bracesInQuotes(): boolean {
    if (this.top !== "braces") return false;
    const below = this.stack.findLast((context) => context !== "braces");
    return below === "quote";
  }

  private escape(): true {
    this.escapedAt = this.at + 1;
    if (this.line[this.at + 1] === "\n") {
      const before = this.line[this.at - 1];
      const after = this.line[this.at + 2];
      if (this.at > 0 && !isBlank(before) && !isBlank(after)) this.splitsWord = true;
    }
    return this.skip(2);
  }

  private backtick(): true {
    const open = this.stack.lastIndexOf("backtick");
    if (open < 0) return this.push("backtick", 1);
    this.stack.length = open;
    return this.skip(1);
  }

  private single(): boolean {
    const end = this.line.indexOf("'", this.at + 1);
    if (end < 0) return false;
    this.at = end + 1;
    return true;
  }

  private ansi(): boolean {
    for (let at = this.at + 2; at < this.line.length; at += 1) {
      if (this.line[at] === "\\") at += 1;
      else if (this.line[at] === "'") {
        this.at = at + 1;
        return true;
      }
    }
    return false;
  }

  private arithmetic(char: string): true {
    const word = this.keyword(char);
    if (word === "case") return this.push("case", 4);
    if (word === "esac" && this.top === "case") return this.pop(4);
    if (this.starts("<(") || this.starts(">(")) return this.push("paren", 2);
    if (char === "(") return this.push("paren", 1);
    if (this.starts("))")) return this.pop(2);
    // `((ls))` as two groups.
    if (char === ")") this.stack[this.stack.length - 1] = "paren";
    return this.skip(1);
  }

  private comment(): true {
    const end = this.line.indexOf("\n", this.at);
    this.at = end < 0 ? this.line.length : end;
    return true;
  }

  private heredoc(): boolean {
    heredocOperator.lastIndex = this.at;
    const match = heredocOperator.exec(this.line);
    if (!match) return false;
    const [whole, dash, word = ""] = match;
    const at = this.at + whole.length - word.length;
    for (let index = this.at; index < at; index += 1) this.out[index] = " ";
    this.out[this.at] = "<";
    const delimiter = word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)|(.)/g, "$1$2$3$4");
    this.pending.push({ at, delimiter, verbatim: /['"\\]/.test(word), dash: dash === "-" });
    return this.skip(whole.length);
  }

  private bodies(): boolean {
    this.at += 1;
    for (const { at, delimiter, verbatim, dash } of this.pending) {
      const start = this.at;
      const lines: string[] = [];
      for (;;) {
        if (this.at >= this.line.length) return false;
        const next = this.line.indexOf("\n", this.at);
        const end = next < 0 ? this.line.length : next;
        const raw = this.line.slice(this.at, end);
        const text = dash ? raw.replace(/^\t+/, "") : raw;
        this.at = end + 1;
        if (text === delimiter) break;
        lines.push(`${text}\n`);
      }
      this.at = Math.min(this.at, this.line.length);
      for (let index = start; index < this.at; index += 1) if (this.out[index] !== "\n") this.out[index] = " ";
      this.heredocs.set(at, { body: lines.join(""), verbatim });
    }
    this.pending = [];
    return true;
  }
}

const isCommentStart = (before: string | undefined) => before === undefined || /[\s;&|()]/.test(before);

interface HiddenCharacter {
  readonly span: Span;
  readonly why: string;
}

/** Always refused, quoted or not: control, direction, invisible, private and unassigned characters, lone surrogates. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u{ad}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{180e}]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|[\u2028-\u202e\ufff0-\uffff]|\p{Cf}|\p{Co}|\p{Cs}|\p{Cn}/u;

/** Non-ASCII characters that are allowed outside quotes: letters, marks and digits of any script, and emoji. */
const plain = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\ufe0f]/u;

/** A joiner between two emoji. */
const joinedPictures = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu;

export function findHidden(text: string): HiddenCharacter | undefined {
  const match = hidden.exec(text.includes("\u200d") ? text.replaceAll(joinedPictures, "-") : text);
  if (!match) return undefined;
  const point = match[0].codePointAt(0) ?? 0;
  const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return {
    span: { start: match.index, end: match.index + match[0].length },
    why: `A hidden or control character (${name}) makes the line read differently than it looks`,
  };
}

/** Spaces and punctuation of other scripts that look like shell syntax: `ls` and a no-break space is one word. */
export const isLookalike = (char: string) => (char.codePointAt(0) ?? 0) > 127 && !plain.test(char);
