// Lists of patterns in one word: `src,!src/gen` are two. Commas in braces or brackets belong to a glob.

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
