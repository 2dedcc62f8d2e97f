// Finds secrets in a text without unwrapping it: rules at literals, rules at long runs, and base64 or hex that encodes text.
import { base64Class, isAt, runEnd } from "./characters.ts";
import { judgeEncoded } from "./encoded.ts";
import { createPrefilter } from "./prefilter.ts";
import type { FoundSecret, ScanContext } from "./rule.ts";
import { judgeLoginFile } from "./rules/login-file.ts";
import { judgeKeyFile, judgeRun } from "./rules/run.ts";
import { ruleTable } from "./rules/table.ts";

const prefilter = createPrefilter(ruleTable);
const shortestRun = 24;

export function scan(text: string, around: ScanContext): FoundSecret[] {
  // A new context for each scan: rules use its identity to remember what they have read.
  const context = { ...around };
  const found: FoundSecret[] = [];
  prefilter.places(text, (at, candidates) => {
    for (const rule of candidates) {
      const result = rule.judge(text, at, context);
      if (result === undefined) continue;
      if (Array.isArray(result)) for (const secret of result as FoundSecret[]) found.push(secret);
      else found.push(result as FoundSecret);
    }
  });
  const whole = judgeKeyFile(text, context.fileName);
  if (whole) found.push(whole);
  for (const secret of judgeLoginFile(text, context)) found.push(secret);
  longRuns(text, (start, end) => {
    const result = judgeRun(text, start, end);
    if (result) found.push(result);
    const encoded = judgeEncoded(text, start, end, (hidden) => hides(hidden, 2));
    if (encoded.found) found.push(encoded.found);
    return encoded.end;
  });
  return found;
}

/** Whether a decoded text contains a secret by the same rules; it may contain an encoded text once more. */
function hides(hidden: string, depth: number): boolean {
  const context: ScanContext = { fileName: "" };
  let hit = false;
  prefilter.places(hidden, (at, candidates) => {
    hit ||= candidates.some((rule) => {
      const result = rule.judge(hidden, at, context);
      if (Array.isArray(result)) return result.length > 0;
      // An encrypted key is not a secret by itself, and not when it is encoded either.
      return result !== undefined && !(result as FoundSecret).onlyPrint;
    });
  });
  if (hit || depth === 1) return hit;
  longRuns(hidden, (start, end) => {
    const encoded = judgeEncoded(hidden, start, end, (deeper) => hides(deeper, depth - 1));
    hit ||= encoded.found !== undefined;
    return encoded.end;
  });
  return hit;
}

/** Runs of at least 24 token characters, found by testing every 24th character first. `visit` returns where to continue. */
function longRuns(text: string, visit: (start: number, end: number) => number): void {
  let start = 0;
  while (start + shortestRun <= text.length) {
    let index = start + shortestRun - 1;
    while (index >= start && isAt(text, index, base64Class)) index -= 1;
    if (index >= start) {
      start = index + 1;
      continue;
    }
    start = visit(start, runEnd(text, start + shortestRun, base64Class, text.length)) + 1;
  }
}
