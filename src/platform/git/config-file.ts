// Reads the syntax of a git configuration file without git, so that a repository can be judged before git runs in it.

export interface GitConfigEntry {
  /** Lower case. */
  readonly section: string;
  /** As written; null for a section without one. */
  readonly subsection: string | null;
  /** Lower case. */
  readonly name: string;
  /** null for a key without `=`, which git takes as true. */
  readonly value: string | null;
}

export class ConfigSyntaxError extends Error {
  readonly line: number;
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
    this.name = "ConfigSyntaxError";
    this.line = line;
  }
}

/** The key as git prints it and as `GIT_CONFIG_KEY_n` needs it. */
export function settingKey(entry: Pick<GitConfigEntry, "section" | "subsection" | "name">): string {
  return entry.subsection === null
    ? `${entry.section}.${entry.name}`
    : `${entry.section}.${entry.subsection}.${entry.name}`;
}

const isAlphanumeric = (char: string) => /^[A-Za-z0-9]$/.test(char);
const isSpace = (char: string) => char === " " || char === "\t" || char === "\n" || char === "\r";

/** A cursor that reads as git does: CRLF counts as one newline, the end of the text as a newline too. */
class Cursor {
  readonly #text: string;
  #at: number;
  line = 1;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  next(): string {
    if (this.ended) return "\n";
    let char = this.#text[this.#at++] ?? "\n";
    if (char === "\r" && this.#text[this.#at] === "\n") {
      char = "\n";
      this.#at++;
    }
    if (char === "\n") this.line++;
    return char;
  }

  refuse(what: string): never {
    throw new ConfigSyntaxError(this.line, what);
  }

  skipLine(): void {
    while (!this.ended && this.next() !== "\n");
  }
}

/** Every entry, in order. Throws ConfigSyntaxError on what git would call a bad config line. */
export function parseConfig(text: string): GitConfigEntry[] {
  const cursor: Cursor = new Cursor(text);
  const entries: GitConfigEntry[] = [];
  let base: string | undefined;
  while (!cursor.ended) {
    const char = cursor.next();
    if (isSpace(char)) continue;
    if (char === "\0") cursor.refuse("a NUL byte");
    if (char === "#" || char === ";") cursor.skipLine();
    else if (char === "[") base = readSection(cursor);
    else if (/^[A-Za-z]$/.test(char)) {
      if (base === undefined) cursor.refuse("a key before any section");
      const { name, value } = readEntry(cursor, char);
      entries.push({ ...splitBase(base), name, value });
    } else cursor.refuse(`unexpected character ${JSON.stringify(char)}`);
  }
  return entries;
}

/** The text between the brackets with the subsection joined by a dot, as git keeps it. */
function readSection(cursor: Cursor): string {
  let name = "";
  for (;;) {
    if (cursor.ended) cursor.refuse("a section without its closing bracket");
    const char = cursor.next();
    if (char === "]") return name.toLowerCase();
    if (isSpace(char)) return `${name.toLowerCase()}.${readSubsection(cursor, char)}`;
    if (!isAlphanumeric(char) && char !== "." && char !== "-") cursor.refuse("a bad section name");
    name += char;
  }
}

/** In either form of the brackets git takes the section up to the first dot and the rest as the subsection. */
function splitBase(base: string): { section: string; subsection: string | null } {
  const dot = base.indexOf(".");
  return dot < 0
    ? { section: base, subsection: null }
    : { section: base.slice(0, dot), subsection: base.slice(dot + 1) };
}

function readSubsection(cursor: Cursor, first: string): string {
  let char = first;
  while (isSpace(char)) {
    if (char === "\n") cursor.refuse("a section header that breaks off");
    char = cursor.next();
  }
  if (char !== '"') cursor.refuse("a subsection without quotes");
  let name = "";
  for (;;) {
    char = cursor.next();
    if (char === "\n") cursor.refuse("a subsection that breaks off");
    if (char === '"') break;
    if (char === "\\") {
      char = cursor.next();
      if (char === "\n") cursor.refuse("a subsection that breaks off");
    }
    name += char;
  }
  if (cursor.next() !== "]") cursor.refuse("a section without its closing bracket");
  return name;
}

function readEntry(cursor: Cursor, first: string): { name: string; value: string | null } {
  let name = first;
  let char = cursor.next();
  while (isAlphanumeric(char) || char === "-") {
    name += char;
    char = cursor.next();
  }
  while (char === " " || char === "\t") char = cursor.next();
  if (char === "\n") return { name: name.toLowerCase(), value: null };
  if (char !== "=") cursor.refuse("a key that is followed by neither a value nor the end of the line");
  return { name: name.toLowerCase(), value: readValue(cursor) };
}

const escapes: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

function readValue(cursor: Cursor): string {
  let value = "";
  let pendingSpace = "";
  let quoted = false;
  let comment = false;
  for (;;) {
    const char = cursor.next();
    if (char === "\n") {
      if (quoted) cursor.refuse("a quoted value that breaks off");
      return value;
    }
    if (comment) continue;
    if (isSpace(char) && !quoted) {
      if (value) pendingSpace += char;
      continue;
    }
    if (!quoted && (char === ";" || char === "#")) {
      comment = true;
      continue;
    }
    value += pendingSpace;
    pendingSpace = "";
    if (char === "\\") {
      const escaped = cursor.next();
      if (escaped === "\n") continue;
      const meant = escapes[escaped];
      if (meant === undefined) cursor.refuse("a bad escape in a value");
      value += meant;
    } else if (char === '"') quoted = !quoted;
    else value += char;
  }
}
