// Finds the fenced code blocks of a text by CommonMark's block rules. Containers, paragraphs, HTML and indented code are
// parsed only as far as they decide what is a fence. One pass in linear time: complete Markdown parsers need seconds for
// 10,000 list markers in a row, and the text comes from a model. A test compares the result with such a parser.
import { htmlKinds, type HtmlKind } from "./thinking.ts";
import { LineCursor } from "./line.ts";

export interface CodeFence {
  readonly info: string;
  /** Content without container markers and the indentation of the fence; line ends as in the text. */
  readonly text: string;
  readonly closed: boolean;
  /** It is inside a block quote. */
  readonly quoted: boolean;
  /** Offsets in UTF-16 units: start of the line of the opening fence, end of the line of the closing fence. */
  readonly start: number;
  readonly end: number;
}

type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly width: number; empty: boolean };

interface OpenFence {
  readonly kind: "fence";
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
  readonly start: number;
  readonly parts: string[];
  readonly quoted: boolean;
}
type Leaf =
  | { readonly kind: "none" | "paragraph" | "code" }
  | { readonly kind: "html"; readonly html: HtmlKind }
  | OpenFence;

/** Answers do not nest deeper on purpose; a deeper marker is text. */
const deepest = 32;
const none: Leaf = { kind: "none" };
const paragraph: Leaf = { kind: "paragraph" };

class Scanner {
  readonly found: CodeFence[] = [];
  readonly #containers: Container[] = [];
  #leaf: Leaf = none;
  #start = 0;
  #end = 0;

  line(text: string, eol: string, start: number): void {
    this.#start = start;
    this.#end = start + text.length + eol.length;
    const line = new LineCursor(text);
    const matched = this.#matchContainers(line);
    const all = matched === this.#containers.length;
    if (all && this.#continueLeaf(line, eol)) return;
    this.#open(line, matched, all);
  }

  end(offset: number): void {
    this.#start = offset;
    this.#dropLeaf();
  }

  /** How many of the open containers this line still belongs to. */
  #matchContainers(line: LineCursor): number {
    for (let index = 0; index < this.#containers.length; index++) {
      const container = this.#containers[index];
      if (!container) break;
      if (line.at >= line.text.length && container.kind === "item" && !container.empty) continue;
      const { indent, next, blank } = line.ahead();
      if (container.kind === "quote") {
        if (indent > 3 || line.text[next] !== ">") return index;
        this.#enterQuote(line);
      } else if (indent >= container.width) line.skipColumns(container.width);
      else if (blank && !container.empty) line.skipBlank();
      else return index;
    }
    return this.#containers.length;
  }

  #enterQuote(line: LineCursor): void {
    line.skipBlank();
    line.skipChars(1);
    line.skipColumns(1);
  }

  /** True when the line belongs to the open fence or HTML block, as content or as its end. */
  #continueLeaf(line: LineCursor, eol: string): boolean {
    const leaf = this.#leaf;
    const { indent, next, blank } = line.ahead();
    if (leaf.kind === "fence") {
      if (indent <= 3 && line.text[next] === leaf.mark && closes(leaf, line.text.slice(next)))
        this.#closeFence(leaf, true);
      else {
        line.skipColumns(leaf.indent);
        leaf.parts.push(line.rest() + eol);
      }
      return true;
    }
    if (leaf.kind !== "html") return false;
    const { end } = leaf.html;
    if (end ? end.test(line.rest()) : blank) this.#leaf = none;
    return end !== undefined || !blank;
  }

  /** Opens the blocks that start on the line. `all`: every open container continues, so an open paragraph may continue too. */
  #open(line: LineCursor, matched: number, all: boolean): void {
    let keep = matched;
    const settle = () => {
      if (keep < this.#containers.length) {
        this.#dropLeaf();
        this.#containers.length = keep;
      }
    };
    // Until a new block opens, text continues the open paragraph, even without the markers of its containers.
    let fresh = false;
    for (;;) {
      const inParagraph = !fresh && all && this.#leaf.kind === "paragraph";
      const { indent, next, blank } = line.ahead();
      if (blank) {
        settle();
        if (this.#leaf.kind === "paragraph") this.#leaf = none;
        return;
      }
      if (indent > 3) {
        if (!fresh && this.#leaf.kind === "paragraph") return;
        settle();
        this.#fill({ kind: "code" });
        return;
      }
      const rest = line.text.slice(next);
      const container =
        this.#containers.length < deepest || keep < this.#containers.length
          ? this.#containerAt(line, rest, inParagraph)
          : undefined;
      if (container) {
        settle();
        this.#dropLeaf();
        this.#markFilled();
        this.#containers.push(container);
        keep = this.#containers.length;
        fresh = true;
        continue;
      }
      const lazy = !fresh && this.#leaf.kind === "paragraph";
      const leaf = this.#leafAt(rest, indent, lazy, inParagraph);
      if (leaf === paragraph && lazy) return;
      settle();
      this.#fill(leaf);
      return;
    }
  }

  /** The quote or list item that starts here; moves the line cursor past its marker. */
  #containerAt(line: LineCursor, rest: string, inParagraph: boolean): Container | undefined {
    if (rest.startsWith(">")) {
      this.#enterQuote(line);
      return { kind: "quote" };
    }
    const marker = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(rest);
    if (!marker || isBreak(rest)) return undefined;
    const [sign, number] = marker;
    const empty = rest.slice(sign.length).trim() === "";
    if (inParagraph && (empty || (number !== undefined && Number(number) !== 1))) return undefined;
    const { indent } = line.ahead();
    line.skipBlank();
    line.skipChars(sign.length);
    const gap = line.ahead().indent;
    const padding = empty || gap > 4 ? 1 : gap;
    line.skipColumns(padding);
    return { kind: "item", width: indent + sign.length + padding, empty: true };
  }

  #leafAt(rest: string, indent: number, lazy: boolean, inParagraph: boolean): Leaf {
    const fence = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/s.exec(rest);
    if (fence) {
      const run = fence[1] ?? fence[3] ?? "";
      const info = (fence[2] ?? fence[4] ?? "").trim();
      return {
        kind: "fence",
        mark: run[0] ?? "",
        length: run.length,
        indent,
        info,
        start: this.#start,
        parts: [],
        quoted: false,
      };
    }
    if (/^#{1,6}(?:[ \t]|$)/.test(rest)) return none;
    const html = rest.startsWith("<")
      ? htmlKinds.find(({ start, loose }) => start.test(rest) && !(loose && lazy))
      : undefined;
    if (html) return html.end?.test(rest) ? none : { kind: "html", html };
    if (inParagraph && /^(?:=+|-+)[ \t]*$/.test(rest)) return none;
    return isBreak(rest) ? none : paragraph;
  }

  #fill(leaf: Leaf): void {
    this.#dropLeaf();
    this.#markFilled();
    const quoted = this.#containers.some(({ kind }) => kind === "quote");
    this.#leaf = leaf.kind === "fence" ? { ...leaf, quoted } : leaf;
  }

  #markFilled(): void {
    const last = this.#containers.at(-1);
    if (last?.kind === "item") last.empty = false;
  }

  #dropLeaf(): void {
    if (this.#leaf.kind === "fence") this.#closeFence(this.#leaf, false);
    this.#leaf = none;
  }

  #closeFence(fence: OpenFence, closed: boolean): void {
    const { info, parts, quoted, start } = fence;
    this.found.push({
      info,
      text: parts.join(""),
      closed,
      quoted,
      start,
      end: closed ? this.#end : this.#start,
    });
    this.#leaf = none;
  }
}

/** A closing fence is at least as long as the opening one, and only blank space follows it. */
function closes({ mark, length }: OpenFence, rest: string): boolean {
  let run = 0;
  while (rest[run] === mark) run++;
  let end = run;
  while (rest[end] === " " || rest[end] === "\t") end++;
  return run >= length && end === rest.length;
}

const isBreak = (rest: string): boolean => /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(rest);

export function findFences(text: string): CodeFence[] {
  const scanner = new Scanner();
  const ends = /\r\n|\n|\r/g;
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (const match of text.matchAll(ends)) {
    scanner.line(text.slice(start, match.index), match[0], start);
    start = match.index + match[0].length;
  }
  if (start < text.length) scanner.line(text.slice(start), "", start);
  scanner.end(text.length);
  return scanner.found;
}
