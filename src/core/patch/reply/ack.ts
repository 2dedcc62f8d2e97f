// The marker by which an answer says which directive it answers.
import type { CodeFence } from "./fences.ts";

const marker =
  /\bdirectiveAck\b["'`*_]*[ \t]*[:=][ \t]*["'`*_]*([A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]|[A-Za-z0-9])/g;

/** Every directive the answer acknowledges outside its diffs. */
export function acknowledged(text: string, diffs: readonly Pick<CodeFence, "start" | "end">[]): Set<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(marker)) {
    const inDiff = diffs.some(({ start, end }) => match.index >= start && match.index < end);
    if (!inDiff && match[1] !== undefined) found.add(match[1]);
  }
  return found;
}
