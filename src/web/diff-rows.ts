// The rows of a diff, built by hand: one element a line, in blocks that the browser lays out only when they come near
// the screen. Nothing is taken out of the page, so that find-in-page and readers for the blind reach every line.
import type { ShownFile, ShownHunk, ShownLine } from "../patch/index.ts";

const inBlock = 50;
const lineHeight = 20;
const kinds = { " ": "", "+": "a", "-": "d", "\\": "w" } as const;
const namedCharacter = /‹U\+[0-9A-F]{4,6}›/g;

function make(tag: string, name: string, text?: string): HTMLElement {
  const element = document.createElement(tag);
  if (name !== "") element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Characters that the eye would not see stand in boxes. */
function put(into: HTMLElement, text: string): void {
  let last = 0;
  for (const { 0: found, index } of text.matchAll(namedCharacter)) {
    if (index > last) into.append(text.slice(last, index));
    into.append(make("b", "unseen", found));
    last = index + found.length;
  }
  if (last === 0) into.append(text);
  else if (last < text.length) into.append(text.slice(last));
}

function row([kind, text, marks]: ShownLine, older: number, newer: number): HTMLElement {
  const element = make("div", kinds[kind]);
  if (kind !== "+" && kind !== "\\") element.dataset["o"] = String(older);
  if (kind !== "-" && kind !== "\\") element.dataset["n"] = String(newer);
  let last = 0;
  for (const [from, to] of marks ?? []) {
    if (from > last) put(element, text.slice(last, from));
    const mark = element.appendChild(make("mark", ""));
    put(mark, text.slice(from, to));
    last = to;
  }
  if (last < text.length || text === "") put(element, text.slice(last));
  return element;
}

/** Called for each block once it stands in the page. */
export type OnBlock = (block: HTMLElement) => void;

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

/** So many lines are built before the browser may paint; the rest follows in steps. */
const first = 4_000;
const step = 8_000;

/** Fills the place of a file. Gives the function that stops it. */
export function fillFile(
  into: HTMLElement,
  file: ShownFile,
  budget: { lines: number },
  seen: OnBlock,
): () => void {
  const work = (function* () {
    for (const hunk of file.hunks) {
      const head = into.appendChild(make("div", "hunk"));
      head.append(
        make("span", "at", `@@ −${hunk.old} +${hunk.new} @@`),
        make("span", "heading", hunk.heading),
      );
      head.dataset["line"] = String(hunk.new);
      for (const block of blocksOf(hunk)) {
        into.append(block);
        seen(block);
        yield block.childElementCount;
      }
    }
  })();
  let late = 0;
  const build = (most: number): void => {
    for (let built = 0; built < most;) {
      const { value, done } = work.next();
      if (done) return;
      built += value;
      budget.lines -= value;
    }
    late = window.setTimeout(() => build(step));
  };
  build(Math.max(0, Math.min(first, budget.lines)));
  return () => clearTimeout(late);
}
