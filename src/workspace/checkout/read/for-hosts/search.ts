// Searching the checkout: bounded in files, hits and time, by an engine whose time grows with the text only. It searches
// redacted text, so that a search can neither show a secret nor guess one letter by letter.
import { fail, FailureError, globMatches } from "../../../../core/contract/index.ts";
import { readUnder } from "../../../../platform/paths/index.ts";
import { isBinaryName } from "../files.ts";
import { listShowable, type SharedFolder, type Veil } from "./shared-folder.ts";

export interface SearchQuery {
  readonly text: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  readonly path: string;
  readonly limit: number;
  /** Only files that one of these matches; all without any. */
  readonly globs: readonly string[];
}

interface Finder {
  /** Whether the file needs the full search. */
  maybe(text: string): boolean;
  line(text: string): boolean;
}

async function finderFor({ text, regex, ignoreCase }: SearchQuery): Promise<Finder> {
  if (!regex) {
    const wanted = ignoreCase ? text.toLowerCase() : text;
    const has = (line: string) => (ignoreCase ? line.toLowerCase() : line).includes(wanted);
    return { maybe: has, line: has };
  }
  const { RE2JS } = await import("re2js");
  try {
    const pattern = RE2JS.compile(text, (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE);
    const has = (line: string) => pattern.matcher(line).find();
    return { maybe: has, line: has };
  } catch (error) {
    return fail("invalid_input", `query: not a pattern: ${error instanceof Error ? error.message : String(error)}`, {
      remedy: "RE2 syntax has no look-around and no back references; or leave regex out to search for plain text.",
    });
  }
}

const largest = 1 << 20;
const longestLine = 300;
const mostMs = 8_000;

export async function search(shared: SharedFolder, query: SearchQuery, veil: Veil, signal: AbortSignal) {
  const { globs } = query;
  const finder = await finderFor(query);
  const { files } = await listShowable(shared, query.path);
  const hits: { path: string; line: number; text: string }[] = [];
  const until = performance.now() + mostMs;
  let searched = 0;
  let skipped = 0;
  let breath = performance.now();
  for (const { path, bytes } of files) {
    if (globs.length > 0 && !globs.some((glob) => globMatches(glob, path))) continue;
    // Other calls are answered in between.
    if (performance.now() - breath > 20) {
      await new Promise((resolve) => setImmediate(resolve));
      breath = performance.now();
    }
    if (signal.aborted || performance.now() > until) return outcome("time");
    const text = bytes > largest || isBinaryName(path) ? undefined : textOf(shared.root, path);
    if (text === undefined) {
      skipped += 1;
      continue;
    }
    searched += 1;
    if (!finder.maybe(text)) continue;
    for (const [index, line] of veil.redact(text, path).split("\n").entries()) {
      if (!finder.line(line)) continue;
      if (hits.length >= query.limit) return outcome("max_hits");
      hits.push({ path, line: index + 1, text: line.slice(0, longestLine) });
    }
  }
  return outcome();

  function outcome(reason?: "max_hits" | "time") {
    const result = {
      hits,
      searched_files: searched,
      skipped_files: skipped,
      truncated: reason !== undefined,
    };
    return reason ? { ...result, reason } : result;
  }
}

function textOf(root: string, path: string): string | undefined {
  try {
    const bytes = readUnder(root, path, { maxBytes: largest });
    return bytes.includes(0) ? undefined : bytes.toString("utf8");
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}
