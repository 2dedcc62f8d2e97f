// Tells the results of a look at the checkout as lines of text for a model, each within its bounds.
import type { AbortSignalLike } from "../../../contract/index.ts";
import type { Look, Veil } from "../guest/index.ts";
import { readBounds } from "./shapes.ts";

const cutNote = "[cut here: ask for less]";

/** Cut at a line's end, and never in the middle of a character. */
function bounded(lines: readonly string[]): string {
  const kept: string[] = [];
  let left: number = readBounds.resultBytes;
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) return [...kept, cutNote].join("\n");
    kept.push(line);
  }
  return kept.join("\n");
}

export async function tellFiles(look: Look, veil: Veil, { folder = "" }: { folder?: string | undefined }) {
  const { entries, total } = await look.tree({
    path: folder,
    depth: 100,
    offset: 0,
    limit: readBounds.entries,
  });
  if (total === 0) return "There are no files to be shown there.";
  const lines = entries.map(({ path, bytes }) => (bytes === undefined ? path : `${path} ${bytes}`));
  const more = total - entries.length;
  const list = bounded([...lines, ...(more > 0 ? [`[and ${more} more: name a folder]`] : [])]);
  return veil.redact(list, "the list of files");
}

export async function tellFile(
  look: Look,
  input: { path: string; fromLine?: number | undefined; lines?: number | undefined },
): Promise<string> {
  const { path, binary, bytes, text } = await look.read(input.path);
  if (binary) return `${path} is no text; it has ${bytes} bytes.`;
  const all = text.replace(/\n$/, "").split("\n");
  const from = input.fromLine ?? 1;
  const lines = all.slice(from - 1, from - 1 + (input.lines ?? readBounds.lines));
  return bounded([`${path}, lines ${from} to ${from + lines.length - 1} of ${all.length}:`, ...lines]);
}

export async function tellMatches(
  look: Look,
  input: { text: string; folder?: string | undefined },
  signal: AbortSignalLike,
): Promise<string> {
  const { hits, truncated } = await look.search(
    { text: input.text, regex: false, ignoreCase: true, path: input.folder ?? "", limit: readBounds.matches },
    signal,
  );
  if (hits.length === 0) return "No file shown here holds it.";
  const lines = hits.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  return bounded([...lines, ...(truncated ? ["[not all: name a folder or a longer text]"] : [])]);
}

export async function tellStatus(look: Look, veil: Veil): Promise<string> {
  const { changes, total } = await look.status(readBounds.entries);
  if (total === 0) return "Nothing differs.";
  const lines = changes.map(({ index, worktree, path }) => `${index}${worktree} ${path}`);
  return veil.redact(bounded(lines), "the list of changes");
}

export async function tellDiff(look: Look, { path = "" }: { path?: string | undefined }): Promise<string> {
  const { text } = await look.diff({ path, staged: false, base: undefined });
  return text === "" ? "Nothing that is shown here differs." : bounded(text.trimEnd().split("\n"));
}
