// The places of an answer that can hold a change: fenced blocks, parts in tags, strings in JSON, and open text. Quotations,
// comments and reasoning are not searched.
import { findFences, type CodeFence } from "../reply/fences.ts";
import { draftRanges, inRanges, withoutReasoning, type Range } from "../reply/thinking.ts";
import { plainLineEnds } from "../mend.ts";
import { begins, ends } from "./apply-patch.ts";
import type { Conversion } from "./proposal.ts";
import { endsReplace, startsSearch } from "./search-replace.ts";
import { readLoose, startsUnified } from "./unified.ts";

export interface Piece {
  readonly lines: readonly string[];
  readonly wrapper: Conversion | null;
  /** The words behind the opening fence. */
  readonly info: string;
  /** The last line with text above the piece. */
  readonly above: string;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** The answer ends inside a fenced block. */
  readonly cut: boolean;
}

/** Text in JSON text is Markdown in JSON; deeper it is a quotation. */
const deepestJson = 1;

export function findPieces(answer: string, depth = 0): Pieces {
  const text = plainLineEnds(withoutReasoning(answer));
  const inJson = depth < deepestJson && /^\s*[{[]/.test(text) ? jsonPieces(text, depth) : undefined;
  return inJson === undefined ? new Scan(text, depth).run() : { pieces: inJson, cut: false };
}

const mostNodes = 10_000;
const change = /(?:^|\n)(?:diff --git |\*\*\* Begin Patch|--- [^\n]*\n\+\+\+ |(?:<{5,9}|-{5,9}) SEARCH)/;

/** The changes in the strings of a JSON text. Undefined when it is not JSON. */
function jsonPieces(text: string, depth: number): Piece[] | undefined {
  let left = mostNodes;
  const found: string[] = [];
  const visit = (value: unknown, level: number): void => {
    if (level > 8 || (left -= 1) < 0) return;
    if (typeof value === "string") {
      if (change.test(value)) found.push(value);
    } else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) visit(inner, level + 1);
  };
  try {
    visit(JSON.parse(text), 0);
  } catch {
    return undefined;
  }
  return found.flatMap((inner) =>
    findPieces(inner, depth + 1).pieces.map((piece) => ({ ...piece, wrapper: "json" as const })),
  );
}

const tag = /^<(diff|patch|apply_patch)>[ \t]*$/i;

class Scan {
  readonly #lines: readonly string[];
  readonly #starts: number[] = [];
  readonly #fences: ReadonlyMap<number, CodeFence>;
  readonly #drafts: readonly Range[];
  readonly #pieces: Piece[] = [];
  readonly #depth: number;
  #cut = false;
  #above = "";
  #comment = false;
  /** Closing marks that do not come any more, so that each is searched to the end once. */
  readonly #missing = new Set<string>();

  constructor(text: string, depth: number) {
    this.#depth = depth;
    this.#lines = text.split("\n");
    let at = 0;
    for (const line of this.#lines) {
      this.#starts.push(at);
      at += line.length + 1;
    }
    const fences = findFences(text);
    this.#fences = new Map(fences.map((fence) => [fence.start, fence]));
    this.#drafts = draftRanges(text, fences);
  }

  run(): Pieces {
    for (let at = 0; at < this.#lines.length;) at = this.#step(at);
    return { pieces: this.#pieces, cut: this.#cut };
  }

  #add(lines: readonly string[], wrapper: Conversion | null, info = ""): void {
    this.#pieces.push({ lines, wrapper, info, above: this.#above });
    this.#above = "";
  }

  /** Reads what starts at a line, and returns the line after it. */
  #step(at: number): number {
    const line = this.#lines[at] ?? "";
    const start = this.#starts[at] ?? 0;
    const fence = this.#fences.get(start);
    if (fence) return this.#fence(fence, at);
    if (this.#comment || line.includes("<!--")) {
      this.#comment = !line.slice(this.#comment ? 0 : line.indexOf("<!--")).includes("-->");
      return at + 1;
    }
    const next = inRanges(this.#drafts, start) ? undefined : (this.#tagged(line, at) ?? this.#open(line, at));
    if (next === undefined && line.trim() !== "") this.#above = line;
    return next ?? at + 1;
  }

  #fence(fence: CodeFence, at: number): number {
    const usable = !fence.quoted && !inRanges(this.#drafts, fence.start);
    const inner = usable ? this.#nestedEnd(at) : undefined;
    if (inner !== undefined) {
      this.#add(this.#lines.slice(at + 1, inner), "nested_fence", fence.info);
      return inner + 1;
    }
    if (usable && !fence.closed) this.#cut = true;
    else if (usable) this.#fenced(fence);
    let next = at + 1;
    while (next < this.#lines.length && (this.#starts[next] ?? 0) < fence.end) next++;
    return next;
  }

  #fenced({ text, info }: CodeFence): void {
    const isJson = this.#depth < deepestJson && (/^json\b/i.test(info) || /^\s*\{/.test(text));
    const inJson = isJson ? jsonPieces(text, this.#depth) : undefined;
    if (inJson === undefined) this.#add(text.replace(/\n$/, "").split("\n"), null, info);
    else for (const piece of inJson) this.#pieces.push(piece);
  }

  /**
   * Each line of a diff starts with a mark, so a fence at the first column closes the block, and an indented one is a
   * line of the diff. Undefined when Markdown reads the block in the same way.
   */
  #nestedEnd(at: number): number | undefined {
    const mark = /^(`{3,}|~{3,})/.exec(this.#lines[at] ?? "")?.[1];
    const starts = startsUnified(this.#lines, at + 1) || begins(this.#lines[at + 1] ?? "");
    if (mark === undefined || !starts) return undefined;
    if (this.#missing.has(mark)) return this.#neverClosed();
    const fence = this.#fences.get(this.#starts[at] ?? 0);
    for (let end = at + 1; end < this.#lines.length; end++) {
      const line = this.#lines[end] ?? "";
      const closes = line.startsWith(mark) && line.trimEnd().replaceAll(mark[0] ?? "", "") === "";
      if (closes) return (this.#starts[end] ?? 0) >= (fence?.end ?? 0) ? end : undefined;
    }
    this.#missing.add(mark);
    return this.#neverClosed();
  }

  /** Markdown may end the block at a line of the diff; it was cut off there or later. */
  #neverClosed(): undefined {
    this.#cut = true;
  }

  #tagged(line: string, at: number): number | undefined {
    const name = tag.exec(line)?.[1];
    if (name === undefined) return undefined;
    const close = `</${name.toLowerCase()}>`;
    if (this.#missing.has(close)) return undefined;
    for (let end = at + 1; end < this.#lines.length; end++) {
      if ((this.#lines[end] ?? "").trim().toLowerCase() !== close) continue;
      const first = this.#lines.slice(at + 1, end).findIndex((text) => text.trim() !== "");
      // A fence in the tags is a fenced block.
      if (first === -1 || /^(?:```|~~~)/.test(this.#lines[at + 1 + first] ?? "")) return undefined;
      this.#add(this.#lines.slice(at + 1, end), "tags");
      return end + 1;
    }
    this.#missing.add(close);
    return undefined;
  }

  #open(line: string, at: number): number | undefined {
    const end = this.#openEnd(line, at);
    if (end === undefined) return undefined;
    this.#add(this.#lines.slice(at, end), "unfenced");
    return end;
  }

  /** The line after a change in open text. */
  #openEnd(line: string, at: number): number | undefined {
    if (startsUnified(this.#lines, at)) return readLoose(this.#lines, at).next;
    const closes = begins(line) ? ends : startsSearch(line) ? endsReplace : undefined;
    if (!closes) return undefined;
    for (let end = at + 1; end < this.#lines.length; end++) if (closes(this.#lines[end] ?? "")) return end + 1;
    return this.#lines.length;
  }
}
