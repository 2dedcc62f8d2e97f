// Finds every command substitution in a text by the shell's quoting rules: in words, quotes, `${…}`, arithmetic and
// here-documents. The grammar does not parse all of these, but the shell runs them.

interface Substitution {
  readonly start: number;
  readonly end: number;
  /** The shell text that runs. */
  readonly text: string;
}

interface Substitutions {
  /** Outer before inner; each with its offsets in the text. */
  readonly found: readonly Substitution[];
  /** False when a substitution has no end. */
  readonly whole: boolean;
}

/** A here-document with an unquoted delimiter is read like a double-quoted string in which quotes are plain characters. */
type TextKind = "command" | "heredoc";

export function findSubstitutions(text: string, kind: TextKind = "command"): Substitutions {
  if (!/[`<>$]/.test(text)) return { found: [], whole: true };
  return new Finder(text).find(kind);
}

const depthLimit = 100;
const commentStart = /[\s;&|()]/;
const caseStart = /case\s+\S+\s+in(?=\s)/y;
const caseEnd = /esac(?![^\s;&|()<>])/y;
/** `${ command; }` and `${| command; }` run a command in newer shells. */
const functionSubstitution = /\$\{[ \t\n|]/y;

class Finder {
  private readonly text: string;
  private readonly found: Substitution[] = [];
  private at = 0;
  private whole = true;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  find(kind: TextKind): Substitutions {
    if (kind === "heredoc") this.quoted(undefined);
    else while (this.at < this.text.length) this.command();
    return { found: this.found.toSorted((a, b) => a.start - b.start || b.end - a.end), whole: this.whole };
  }

  private matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  /** A text with more than 100 levels of nesting is not read to its end. */
  private nested(read: () => void): void {
    this.depth += 1;
    if (this.depth <= depthLimit) read();
    else {
      this.whole = false;
      this.at = this.text.length;
    }
    this.depth -= 1;
  }

  /** One list of commands, up to the parenthesis that closes it or the end of the text. */
  private command(): void {
    let cases = 0;
    for (; this.at < this.text.length;) {
      const char = this.text[this.at];
      if (this.expansion(false)) continue;
      if (char === "'") this.single();
      else if (char === '"') this.double();
      else if (char === "(") this.group();
      else if (char === ")" && cases === 0) {
        this.at += 1;
        return;
      } else if (char === "#" && this.startsWord()) this.comment();
      else {
        const keyword = this.caseKeyword(char ?? "");
        cases = Math.max(0, cases + keyword);
        this.at += keyword === 0 ? 1 : 4;
      }
    }
  }

  /** 1 where a `case` begins, -1 at its `esac`: between them a closing parenthesis ends a pattern. */
  private caseKeyword(char: string): number {
    if ((char !== "c" && char !== "e") || !this.startsWord()) return 0;
    if (this.matches(caseStart)) return 1;
    return this.matches(caseEnd) ? -1 : 0;
  }

  private startsWord(): boolean {
    return this.at === 0 || (commentStart.test(this.text[this.at - 1] ?? "") && this.text[this.at - 2] !== "\\");
  }

  private comment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private group(): void {
    this.at += 1;
    this.nested(() => this.command());
  }

  /** Escapes and everything that begins with `$`, a backtick, `<(` or `>(`. */
  private expansion(quoted: boolean): boolean {
    const char = this.text[this.at] ?? "";
    if (char === "\\") return this.skip(2);
    if (char === "`") return this.backtick();
    if (!quoted && (char === "<" || char === ">") && this.text[this.at + 1] === "(") return this.substitution(2);
    if (char !== "$") return false;
    if (this.matches(functionSubstitution)) return this.function();
    switch (this.text[this.at + 1]) {
      case "(":
        return this.text[this.at + 2] === "(" ? this.arithmetic() : this.substitution(2);
      case "{":
        return this.deepBraces(quoted);
      case "'":
        return quoted ? this.skip(1) : this.ansi();
      default:
        return this.skip(1);
    }
  }

  private skip(length: number): true {
    this.at += length;
    return true;
  }

  private substitution(opening: number): true {
    const start = this.at;
    this.at += opening;
    const from = this.at;
    this.nested(() => this.command());
    const closed = this.text[this.at - 1] === ")" && this.at > from;
    this.whole &&= closed;
    this.found.push({ start, end: this.at, text: this.text.slice(from, closed ? this.at - 1 : this.at) });
    return true;
  }

  /** `$((…))`; when its parentheses do not close together, the shell reads it as `$( (…) … )`. */
  private arithmetic(): true {
    const start = this.at;
    const before = this.found.length;
    this.at += 3;
    let depth = 0;
    for (; this.at < this.text.length;) {
      const char = this.text[this.at];
      if (this.expansion(true)) continue;
      this.at += 1;
      if (char === "(") depth += 1;
      if (char !== ")") continue;
      if (depth > 0) depth -= 1;
      else if (this.text[this.at] === ")") return this.skip(1);
      else break;
    }
    this.at = start;
    this.found.length = before;
    return this.substitution(2);
  }

  private function(): true {
    const start = this.at;
    this.braces(false);
    this.found.push({
      start,
      end: this.at,
      text: this.text.slice(start + 2, this.at - 1).replace(/^\|/, ""),
    });
    return true;
  }

  private deepBraces(quoted: boolean): true {
    this.nested(() => this.braces(quoted));
    return true;
  }

  /** Inside double quotes, single quotes in it are plain characters. */
  private braces(quoted: boolean): true {
    this.at += 2;
    for (; this.at < this.text.length;) {
      const char = this.text[this.at];
      if (this.expansion(quoted)) continue;
      if (char === "}") return this.skip(1);
      if (char === '"') this.double();
      else if (char === "'" && !quoted) this.subscriptQuote();
      else this.at += 1;
    }
    this.whole = false;
    return true;
  }

  /** A subscript is evaluated as arithmetic after its quotes are removed: `${a['$(…)']}` runs the quoted substitution. */
  private subscriptQuote(): void {
    const from = this.at + 1;
    this.single();
    const inner = new Finder(this.text.slice(from, this.at - 1)).find("heredoc");
    for (const { start, end, text } of inner.found) this.found.push({ start: from + start, end: from + end, text });
  }

  private backtick(): true {
    const start = this.at;
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== "`") this.at += this.text[this.at] === "\\" ? 2 : 1;
    this.whole &&= this.at < this.text.length;
    const inner = this.text.slice(start + 1, this.at).replaceAll(/\\([$`\\])/g, "$1");
    this.at = Math.min(this.at + 1, this.text.length);
    this.found.push({ start, end: this.at, text: inner });
    return true;
  }

  private single(): void {
    const end = this.text.indexOf("'", this.at + 1);
    this.at = end < 0 ? this.text.length : end + 1;
  }

  private ansi(): true {
    for (this.at += 2; this.at < this.text.length && this.text[this.at] !== "'";)
      this.at += this.text[this.at] === "\\" ? 2 : 1;
    return this.skip(1);
  }

  private double(): void {
    this.at += 1;
    this.nested(() => this.quoted('"'));
  }

  private quoted(end: '"' | undefined): void {
    for (; this.at < this.text.length;) {
      if (this.expansion(true)) continue;
      this.at += 1;
      if (end !== undefined && this.text[this.at - 1] === end) return;
    }
  }
}
