// Finds every line of a text at which a sequence of whole lines occurs. Linear time, also for hostile repetitions.

/** Offsets of line starts, with the end of the text as the last entry. */
export function lineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    starts.push(at);
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  starts.push(text.length);
  return starts;
}

export class LineIndex {
  readonly text: string;
  readonly starts: readonly number[];
  #ids: Map<string, number> | undefined;
  #lines: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
    this.starts = lineStarts(text);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** Whether the text has the lines `wanted` (whole lines, as one text) at line `at`. */
  fitsAt(wanted: string, at: number): boolean {
    const start = this.starts[at];
    if (start === undefined || !this.text.startsWith(wanted, start)) return false;
    return wanted === "" || wanted.endsWith("\n") || start + wanted.length === this.text.length;
  }

  /** Line numbers (from 0) at which `wanted` starts and that `admit` accepts, at most `most` of them. */
  places(wanted: string, most: number, admit: (at: number) => boolean): number[] {
    const lines = this.#numbered();
    const pattern = this.#pattern(wanted);
    if (!pattern) return [];
    const found: number[] = [];
    const borders = bordersOf(pattern);
    let matched = 0;
    for (let at = 0; at < lines.length; at++) {
      while (matched > 0 && lines[at] !== pattern[matched]) matched = borders[matched - 1] ?? 0;
      if (lines[at] === pattern[matched]) matched++;
      if (matched < pattern.length) continue;
      const start = at - pattern.length + 1;
      if (admit(start)) found.push(start);
      if (found.length >= most) break;
      matched = borders[matched - 1] ?? 0;
    }
    return found;
  }

  #numbered(): Int32Array {
    if (this.#lines) return this.#lines;
    const ids = new Map<string, number>();
    const lines = new Int32Array(this.count);
    for (let at = 0; at < lines.length; at++) {
      const line = this.text.slice(this.starts[at], this.starts[at + 1]);
      const id = ids.get(line) ?? ids.size;
      ids.set(line, id);
      lines[at] = id;
    }
    this.#ids = ids;
    this.#lines = lines;
    return lines;
  }

  /** Undefined when the text lacks one of the lines: then `wanted` fits at no line. */
  #pattern(wanted: string): Int32Array | undefined {
    const starts = lineStarts(wanted);
    const pattern = new Int32Array(starts.length - 1);
    for (let at = 0; at < pattern.length; at++) {
      const id = this.#ids?.get(wanted.slice(starts[at], starts[at + 1]));
      if (id === undefined) return undefined;
      pattern[at] = id;
    }
    return pattern.length === 0 ? undefined : pattern;
  }
}

/** For each prefix of the pattern the length of its longest proper border (Knuth, Morris, Pratt). */
function bordersOf(pattern: Int32Array): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length++;
    borders[at] = length;
  }
  return borders;
}
