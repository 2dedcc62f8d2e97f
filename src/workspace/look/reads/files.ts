// Listing, reading and searching files: only what may be shown, by the path judge, within bounds.
import type { AbortSignalLike } from "../../../contract/index.ts";
import type { Repository } from "../../git/index.ts";
import { readShowable, showableFiles, type ShowableFile } from "../files.ts";
import { bounded, clean, cleanFile, type ReadPlace } from "./clean.ts";
import { readBounds, refused, type ReadResult } from "./shapes.ts";

/** How much is looked through without a pause. */
const atOnce = 2_000_000;
const cutNote = "[cut here: ask for less]";

async function filesIn(
  place: ReadPlace,
  repository: Repository | undefined,
  folder: string | undefined,
): Promise<ShowableFile[]> {
  const all = await showableFiles(place.top, repository);
  const wanted = (folder ?? "").replace(/^(\.\/)+/, "").replace(/\/+$/, "");
  return wanted === "" || wanted === "." ? all : all.filter(({ path }) => path.startsWith(`${wanted}/`));
}

export async function listFiles(
  place: ReadPlace,
  repository: Repository | undefined,
  { folder }: { folder?: string | undefined },
): Promise<ReadResult> {
  const files = await filesIn(place, repository, folder);
  if (files.length === 0) return refused("There are no files to be shown there.");
  const lines = files.slice(0, readBounds.entries).map(({ path, bytes }) => `${path} ${bytes}`);
  const more = files.length - lines.length;
  const tail = more > 0 ? [`[and ${more} more: name a folder]`] : [];
  const cleaned = clean({ ...place, secrets: "redact" }, bounded([...lines, ...tail], cutNote), "The list");
  return cleaned.shown
    ? { ok: true, text: cleaned.text, paths: [], redactions: cleaned.redactions }
    : refused(cleaned.why);
}

export function readFile(
  place: ReadPlace,
  input: { path: string; fromLine?: number | undefined; lines?: number | undefined },
): ReadResult {
  const cleaned = cleanFile(place, input.path);
  if (!cleaned.shown) return refused(cleaned.why);
  const all = cleaned.text.replace(/\n$/, "").split("\n");
  const from = input.fromLine ?? 1;
  const lines = all.slice(from - 1, from - 1 + (input.lines ?? readBounds.lines));
  const head = `${input.path}, lines ${from} to ${from + lines.length - 1} of ${all.length}:`;
  return {
    ok: true,
    text: bounded([head, ...lines], cutNote),
    paths: [input.path],
    redactions: cleaned.redactions,
  };
}

export async function searchFiles(
  place: ReadPlace,
  repository: Repository | undefined,
  input: { text: string; folder?: string | undefined },
  signal: AbortSignalLike,
): Promise<ReadResult> {
  const wanted = input.text.toLowerCase();
  const found: string[] = [];
  const paths: string[] = [];
  let redactions = 0;
  let left: number = readBounds.searchedBytes;
  let unbroken = 0;
  for (const { path, bytes } of await filesIn(place, repository, input.folder)) {
    left -= bytes;
    unbroken += bytes + 1_000;
    if (unbroken > atOnce) {
      // Let the signal and everybody else have their turn.
      await new Promise((resolve) => setImmediate(resolve));
      unbroken = 0;
    }
    if (left < 0 || signal.aborted || found.length >= readBounds.matches) break;
    const text = readShowable(place.top, path);
    if (text === undefined || !text.toLowerCase().includes(wanted)) continue;
    const cleaned = clean(place, text, path);
    if (!cleaned.shown) continue;
    const hits = linesWith(cleaned.text, wanted).map((hit) => `${path}:${hit}`);
    if (hits.length > 0) paths.push(path);
    redactions += cleaned.redactions;
    found.push(...hits);
  }
  const lines = found.slice(0, readBounds.matches);
  if (found.length > lines.length || left < 0) lines.push("[not all: name a folder or a longer text]");
  return {
    ok: true,
    text: lines.length === 0 ? "No file shown here holds it." : bounded(lines, cutNote),
    paths,
    redactions,
  };
}

const linesWith = (text: string, wanted: string): string[] =>
  text
    .split("\n")
    .flatMap((line, index) =>
      line.toLowerCase().includes(wanted) ? [`${index + 1}: ${line.slice(0, readBounds.line)}`] : [],
    );
