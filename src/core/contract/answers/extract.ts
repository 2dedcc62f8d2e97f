// Finds the JSON object that is a model's answer. Agents wrap it in prose and fences; the last object wins.
import { isRecord, parseJson } from "../json.ts";

/** Candidates, the most likely answer first. */
export function jsonCandidates(text: string): unknown[] {
  const whole = tryObject(text.trim());
  if (whole) return [whole];
  const found: unknown[] = [];
  for (const block of [...fenced(text)].reverse()) push(found, tryObject(block));
  for (const one of text.split("\n").reverse()) {
    const trimmed = one.trim();
    if (trimmed.startsWith("{") && trimmed.endsWith("}")) push(found, tryObject(trimmed));
    if (found.length >= 20) break;
  }
  for (const block of topLevelBraces(text).reverse()) push(found, tryObject(block));
  return found;
}

function push(list: unknown[], value: unknown): void {
  if (value && list.length < 40) list.push(value);
}

function tryObject(text: string): unknown {
  const value = text.startsWith("{") ? parseJson(text) : undefined;
  return isRecord(value) ? value : undefined;
}

function* fenced(text: string): Generator<string> {
  let open: { fence: string; lines: string[] } | undefined;
  for (const one of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(one)?.[1];
    if (!open) {
      if (fence) open = { fence, lines: [] };
    } else if (fence && fence.startsWith(open.fence) && one.trim() === fence) {
      yield open.lines.join("\n").trim();
      open = undefined;
    } else open.lines.push(one);
  }
}

/** Balanced `{…}` spans outside JSON strings, in one pass; at most 40 of them. */
function topLevelBraces(text: string): string[] {
  const spans: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"' && depth > 0) inString = true;
    else if (char === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) {
        spans.push(text.slice(start, at + 1));
        if (spans.length > 40) spans.shift();
      }
    }
  }
  return spans;
}
