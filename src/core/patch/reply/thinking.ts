// Recognises the reasoning that a model writes into its answer, so that drafts in it are not read as the answer; and the
// HTML blocks of CommonMark.
import type { CodeFence } from "./fences.ts";

const blockTags =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
const attribute = String.raw`\s+[a-zA-Z_:][\w.:-]*(?:\s*=\s*(?:[^"'=<>\x60\0-\x20]+|'[^']*'|"[^"]*"))?`;
const anyTag = String.raw`<[A-Za-z][A-Za-z0-9-]*(?:${attribute})*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>`;

/** Tags around reasoning. They do not start an HTML block: the text after one is Markdown. */
export const thinkingTags =
  "think|thinking|antthinking|thought|thoughts|scratchpad|reasoning|reflection|analysis|draft|inner_monologue|inner_thoughts";

/** Tags that some models write around the answer. */
const answerTags = "answer|final|final_answer|response|result|output|solution|patch|diff";

export interface HtmlKind {
  readonly start: RegExp;
  /** Undefined: a blank line ends the block. */
  readonly end?: RegExp;
  /** This kind cannot interrupt a paragraph. */
  readonly loose?: true;
}

export const htmlKinds: readonly HtmlKind[] = [
  { start: /^<(?:script|pre|style|textarea)(?:\s|>|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![A-Za-z]/, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: new RegExp(String.raw`^<\/?(?:${blockTags})(?:\s|\/?>|$)`, "i") },
  {
    start: new RegExp(String.raw`^(?!<\/?(?:${thinkingTags}|${answerTags})[\s>])(?:${anyTag})\s*$`, "i"),
    loose: true,
  },
];

const tag = new RegExp(String.raw`<(\/?)(?:${thinkingTags})(?:\s[^<>]{0,200})?>`, "gi");

export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Reasoning from an opening tag to its closing tag. Without an opening tag it starts with the answer; without a closing tag
 * it reaches to the end.
 */
export function draftRanges(text: string, fences: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  let open: number | undefined;
  for (const match of text.matchAll(tag)) {
    if (inRanges(fences, match.index)) continue;
    const after = match.index + match[0].length;
    // A tag in a code span is quoted, not used.
    if (text[match.index - 1] === "`" && text[after] === "`") continue;
    if (match[1] === "") open ??= match.index;
    else {
      ranges.push({ start: open ?? 0, end: after });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push({ start: open, end: text.length });
  return ranges;
}

/** Whether one of the ranges, which are in order, holds the offset. */
export function inRanges(ranges: readonly Range[], offset: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return offset >= (ranges[low]?.start ?? Infinity);
}

/** The forms of reasoning at the start of an answer, each with its end. */
const leading: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: tag, end: tag },
  { start: /\[think\]/giy, end: /\[\/think\]/gi },
  {
    start:
      /<details(?=[^<>]{0,200}\btype="?reasoning|[^<>]{0,200}>\s*<summary>\s*(?:thought|thinking|reasoning))[^<>]{0,200}>/giy,
    end: /<\/details>/gi,
  },
  {
    start: /(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)<\|message\|>/gy,
    end: /<\|end\|>/g,
  },
];

/** The offset after the reasoning that starts at `from`. Undefined when no reasoning starts there, or it does not end. */
function reasoningEnd(text: string, from: number): number | undefined {
  for (const { start, end } of leading) {
    const begins = new RegExp(start.source, start.flags.replace("y", "").replace("g", "") + "y");
    begins.lastIndex = from;
    const first = begins.exec(text);
    if (!first || first[1] === "/") continue;
    let depth = 1;
    for (const match of text.slice(begins.lastIndex).matchAll(end)) {
      depth += match[1] === "" ? 1 : -1;
      if (depth === 0) return begins.lastIndex + match.index + match[0].length;
    }
  }
  return undefined;
}

/** The answer with the reasoning at its start replaced by blanks, so that offsets stay the same. */
export function withoutReasoning(text: string): string {
  let end = 0;
  for (;;) {
    const from = end + (/^[\s\uFEFF]*/.exec(text.slice(end))?.[0].length ?? 0);
    const next = reasoningEnd(text, from);
    if (next === undefined) return blanked(text, end);
    end = next;
  }
}

/** Ends the blanks with a newline, so that a fence directly after the reasoning starts a line. */
function blanked(text: string, end: number): string {
  if (end === 0) return text;
  const blank = text.slice(0, end - 1).replaceAll(/[^\n]/g, " ");
  return `${blank}\n${text.slice(end)}`;
}

/** The fenced blocks outside of reasoning. */
export function withoutDrafts(text: string, fences: readonly CodeFence[]): CodeFence[] {
  const thinking = draftRanges(text, fences);
  return fences.filter(({ start }) => !inRanges(thinking, start));
}

/** The blocks without repetitions of the same text. */
export function onceEach<T extends { readonly text: string }>(blocks: readonly T[]): T[] {
  const seen = new Set<string>();
  return blocks.filter(({ text }) => !seen.has(text) && seen.add(text));
}
