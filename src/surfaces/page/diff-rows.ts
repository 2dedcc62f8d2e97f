// Builds the rows of a diff: one element for each line, in blocks that the browser lays out only near the screen. All lines stay
// in the page, so find-in-page and screen readers reach each of them.
import type { ShownFile, ShownHunk, ShownLine } from "../../core/patch/index.ts";

const inBlock = 50;
const lineHeight = 20;
const kinds = { " ": "c", "+": "a", "-": "d", "\\": "w" } as const;
const namedCharacter = /‹U\+[0-9A-F]{4,6}›/g;

function make(tag: string, name: string, text?: string): HTMLElement {
  const element = document.createElement(tag);
  if (name !== "") element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Invisible characters are shown in boxes. */
function put(into: HTMLElement, text: string): void {
  let last = 0;
  for (const { 0: found, index } of text.matchAll(namedCharacter)) {
    if (index > last) into.append(text.slice(last, index));
    into.append(make("b", "unseen", found));
    last = index + found.length;
  }
  if (last < text.length) into.append(text.slice(last));
}

/** A line without invisible or marked characters is one text node, which is much cheaper. */
function putLine(element: HTMLElement, [, text, marks]: ShownLine): void {
  if (!marks?.length && !text.includes("‹U+")) {
    element.textContent = text;
    return;
  }
  let last = 0;
  for (const [from, to] of marks ?? []) {
    if (from > last) put(element, text.slice(last, from));
    put(element.appendChild(make("mark", "")), text.slice(from, to));
    last = to;
  }
  put(element, text.slice(last));
}

function row(line: ShownLine, older: number, newer: number): HTMLElement {
  const [kind] = line;
  const element = make("div", kinds[kind]);
  if (kind !== "+" && kind !== "\\") element.setAttribute("data-o", String(older));
  if (kind !== "-" && kind !== "\\") element.setAttribute("data-n", String(newer));
  putLine(element, line);
  return element;
}

function* blocksOf(hunk: ShownHunk): Generator<HTMLElement> {
  let [older, newer] = [hunk.old, hunk.new];
  for (let at = 0; at < hunk.lines.length; at += inBlock) {
    const block = make("div", "block");
    const lines = hunk.lines.slice(at, at + inBlock);
    block.style.containIntrinsicSize = `auto ${lines.length * lineHeight}px`;
    for (const line of lines) {
      block.append(row(line, older, newer));
      if (line[0] !== "+" && line[0] !== "\\") older += 1;
      if (line[0] !== "-" && line[0] !== "\\") newer += 1;
    }
    yield block;
  }
}

function hunkHead({ old, new: newer, heading }: ShownHunk): HTMLElement {
  const head = make("div", "hunk");
  head.append(make("span", "at", `@@ −${old} +${newer} @@`), make("span", "heading", heading));
  head.dataset["line"] = String(newer);
  return head;
}

/** Watches which blocks were on screen: gets their number first, then each block in the page. */
export interface BlockWatch {
  /** The number of blocks that will be built; they count as unseen. */
  expect(blocks: number): void;
  built(block: HTMLElement): void;
}

const blockCount = ({ hunks }: ShownFile): number =>
  hunks.reduce((sum, { lines }) => sum + Math.ceil(lines.length / inBlock), 0);

/** Adds the blocks of a file one after the other; yields the number of lines of each. */
function* rowsOf(into: HTMLElement, { hunks }: ShownFile, seen?: BlockWatch): Generator<number> {
  for (const hunk of hunks) {
    into.append(hunkHead(hunk));
    for (const block of blocksOf(hunk)) {
      into.append(block);
      seen?.built(block);
      yield block.childElementCount;
    }
  }
}

/** The number of lines built before the first paint: more than the rows of any screen. */
const firstLines = 300;
/** The rest follows while the browser is idle, in steps of this many milliseconds and at least this many lines. */
const stepMs = 25;
const stepLines = 2_000;

/** A browser without idle callbacks gets a short wait. */
function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in globalThis)) {
    const late = setTimeout(work, 20);
    return () => clearTimeout(late);
  }
  const late = requestIdleCallback(work, { timeout: 50 });
  return () => cancelIdleCallback(late);
}

/** Builds the rows of all files of a change, in their order. */
export class RowBuilder {
  readonly #work: Generator<number>[] = [];
  #first = firstLines;
  #cancel: (() => void) | undefined;

  /** Returns the function that stops the work on this file. */
  fill(into: HTMLElement, file: ShownFile, seen?: BlockWatch): () => void {
    seen?.expect(blockCount(file));
    const work = rowsOf(into, file, seen);
    this.#work.push(work);
    while (this.#first > 0 && this.#work.length > 0) this.#first -= this.#next();
    this.#cancel ??= whenIdle(this.#step);
    return () => {
      this.#work.splice(0);
      this.#cancel?.();
      into.replaceChildren();
    };
  }

  #next(): number {
    const { value = 0, done } = this.#work[0]?.next() ?? { done: true };
    if (done) this.#work.shift();
    return value;
  }

  readonly #step = (): void => {
    const until = performance.now() + stepMs;
    let built = 0;
    while (this.#work.length > 0 && (built < stepLines || performance.now() < until)) built += this.#next();
    this.#cancel = this.#work.length > 0 ? whenIdle(this.#step) : undefined;
  };
}
