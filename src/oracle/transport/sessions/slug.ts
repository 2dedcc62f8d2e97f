// Names of sessions: readable, safe as a folder name on every system, taken from the user's words (T-7).
import { fail } from "../../../core/contract/index.ts";

const maxBytes = 80;
const maxWord = 24;

function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => [...word].slice(0, maxWord).join(""));
}

/** Joins words with dashes as far as they fit; the first word always does, since words are short. */
function join(parts: readonly string[]): string {
  let slug = "";
  for (const part of parts) {
    const longer = slug === "" ? part : `${slug}-${part}`;
    if (new TextEncoder().encode(longer).length > maxBytes) break;
    slug = longer;
  }
  return slug;
}

/** A single word could be a device name on Windows (`con`), so it never stands alone. */
const safe = (slug: string) => (slug.includes("-") ? slug : `session-${slug}`);

export function slugFromWords(given: string): string {
  const parts = words(given);
  if (parts.length < 3 || parts.length > 5)
    return fail("invalid_input", `A slug has 3 to 5 words; "${given}" has ${parts.length}.`, {
      remedy: 'For example --slug "fix login test"',
    });
  return join(parts);
}

export function slugFromPrompt(prompt: string): string {
  const parts = words(prompt.slice(0, 2000)).filter((word) => word.length > 1);
  return parts.length === 0 ? "session" : safe(join(parts.slice(0, 5)));
}

export const slugPattern = /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u;
