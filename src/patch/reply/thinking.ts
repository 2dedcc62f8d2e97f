// The parts of an answer in which a model thinks aloud: a draft in them is no answer.
import type { CodeFence } from "./fences.ts";
import { thinkingTags } from "./html.ts";

const tag = new RegExp(String.raw`<(\/?)(?:${thinkingTags})(?:\s[^<>]{0,200})?>`, "gi");

interface Range {
  readonly start: number;
  readonly end: number;
}

/** From an opening tag to its closing one. A closing tag alone ends a part that began with the answer; an opening one alone never ends. */
function thinkingIn(text: string, fences: readonly CodeFence[]): Range[] {
  const ranges: Range[] = [];
  let open: number | undefined;
  for (const match of text.matchAll(tag)) {
    if (fences.some(({ start, end }) => match.index >= start && match.index < end)) continue;
    const after = match.index + match[0].length;
    if (match[1] === "") open ??= match.index;
    else {
      ranges.push({ start: open ?? 0, end: after });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push({ start: open, end: text.length });
  return ranges;
}

/** The fenced blocks that belong to the answer itself. */
export function withoutDrafts(text: string, fences: readonly CodeFence[]): CodeFence[] {
  const thinking = thinkingIn(text, fences);
  return fences.filter(({ start }) => !thinking.some((range) => start >= range.start && start < range.end));
}

/** The same block written twice says one thing. */
export const onceEach = <T extends { readonly text: string }>(blocks: readonly T[]): T[] =>
  blocks.filter(({ text }, index) => blocks.findIndex((other) => other.text === text) === index);
