// Scans TOML for the position of each header and key, so that one table can be edited without changing anything else. Text that
// is not TOML is refused with its line.
import { fail } from "../../core/contract/index.ts";

export interface Statement {
  readonly kind: "table" | "array_table" | "key";
  /** The path of a header; the path of a key within its table. */
  readonly path: readonly string[];
  /** The whole statement with its line end. */
  readonly start: number;
  readonly end: number;
}

const deepest = 64;

class Scanner {
  readonly text: string;
  readonly file: string;
  at = 0;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  refuse(why: string): never {
    const line = this.text.slice(0, this.at).split("\n").length;
    return fail("invalid_config", `${this.file}:${line}: ${why}`, {
      remedy: "Correct the file; nothing was changed.",
      details: { path: this.file, line },
    });
  }

  /** Takes the text that the sticky pattern matches here. */
  take(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, "uy");
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  blank(): void {
    this.take(/[ \t]*/);
  }

  /** Skips spaces, line ends and comments between the values of a list. */
  gap(): void {
    this.take(/(?:[ \t\r\n]|#[^\n]*)*/);
  }

  lineEnd(): void {
    this.blank();
    this.take(/#[^\r\n]*/);
    if (this.take(/\r?\n/) === undefined && this.at < this.text.length) this.refuse("there is text after the value");
  }

  key(): string[] {
    const path: string[] = [];
    do {
      this.blank();
      path.push(this.keyPart());
      this.blank();
    } while (this.take(/\./) !== undefined);
    return path;
  }

  keyPart(): string {
    const bare = this.take(/[A-Za-z0-9_-]+/);
    if (bare !== undefined) return bare;
    const literal = this.take(/'[^'\r\n]*'/);
    if (literal !== undefined) return literal.slice(1, -1);
    const basic = this.take(/"(?:[^"\\\r\n]|\\.)*"/);
    if (basic === undefined) return this.refuse("this is not a key");
    try {
      return String(JSON.parse(basic));
    } catch {
      return this.refuse("this key has an invalid escape");
    }
  }

  value(depth = 0): void {
    if (depth > deepest) this.refuse("values are nested too deep");
    if (this.text.startsWith("[", this.at)) return this.list(depth);
    if (this.text.startsWith("{", this.at)) return this.inline(depth);
    const simple =
      this.take(/"""(?:[^\\]|\\[\s\S])*?"""{1,3}/) ??
      this.take(/'''[\s\S]*?'''{1,3}/) ??
      this.take(/"(?:[^"\\\r\n]|\\.)*"/) ??
      this.take(/'[^'\r\n]*'/) ??
      this.take(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?/) ??
      this.take(/[A-Za-z0-9+_.:-]+/);
    if (simple === undefined) this.refuse("this is not a value");
  }

  list(depth: number): void {
    this.at += 1;
    for (this.gap(); this.take(/\]/) === undefined; this.gap()) {
      this.value(depth + 1);
      this.gap();
      if (this.take(/,/) === undefined && !this.text.startsWith("]", this.at)) this.refuse("this list does not end");
    }
  }

  inline(depth: number): void {
    this.at += 1;
    for (this.gap(); this.take(/\}/) === undefined; this.gap()) {
      this.key();
      if (this.take(/=/) === undefined) this.refuse("this key has no value");
      this.gap();
      this.value(depth + 1);
      this.gap();
      if (this.take(/,/) === undefined && !this.text.startsWith("}", this.at)) this.refuse("this table does not end");
    }
  }

  header(): Pick<Statement, "kind" | "path"> {
    const many = this.take(/\[\[/) !== undefined;
    if (!many) this.at += 1;
    const path = this.key();
    if (this.take(many ? /\]\]/ : /\]/) === undefined) this.refuse("this header does not end");
    return { kind: many ? "array_table" : "table", path };
  }

  keyValue(): Pick<Statement, "kind" | "path"> {
    const path = this.key();
    if (this.take(/=/) === undefined) this.refuse("this key has no value");
    this.blank();
    this.value();
    return { kind: "key", path };
  }
}

export function scanToml(text: string, file: string): Statement[] {
  const scanner = new Scanner(text, file);
  scanner.take(/\uFEFF/);
  const found: Statement[] = [];
  for (;;) {
    scanner.gap();
    if (scanner.at >= text.length) return found;
    // The spaces before it belong to its line.
    const start = text.lastIndexOf("\n", scanner.at - 1) + 1;
    const one = text.startsWith("[", scanner.at) ? scanner.header() : scanner.keyValue();
    scanner.lineEnd();
    found.push({ ...one, start, end: scanner.at });
  }
}
