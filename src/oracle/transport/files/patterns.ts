// Lists of patterns in one word: `src,!src/gen` are two. Commas in braces or brackets belong to a glob.
import { fail } from "../../../core/contract/index.ts";

/** The parts of a list with commas between them. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text) {
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") depth = Math.max(0, depth - 1);
    if (char === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== "");
}

/** A person who only leaves files out expects the others to go along. */
export function refuseOnlyLeftOut(patterns: readonly string[]): void {
  if (patterns.length === 0 || patterns.some((pattern) => !pattern.startsWith("!"))) return;
  fail("invalid_input", `--file only leaves out (${patterns.join(" ")}) and names nothing to send.`, {
    remedy: `Name files or folders too: --file . '${patterns[0] ?? ""}'`,
  });
}
