// Blocks of the form SEARCH / ======= / REPLACE, as aider and others ask for them: whole lines to find and what replaces them.
import { refuse, shown, type Chunk, type FileChange, type Refusal } from "./proposal.ts";

const start = /^(?:<{5,9}|-{5,9}) SEARCH[ \t]*$/;
const divider = /^={5,9}[ \t]*$/;
const end = /^(?:>{5,9}|\+{5,9}) REPLACE[ \t]*$/;

export const startsSearch = (line: string): boolean => start.test(line);
export const endsReplace = (line: string): boolean => end.test(line);

/** A line that is only a path, perhaps with Markdown around it. Whether there is such a file is asked later. */
export function pathLine(line: string): string | undefined {
  const plain = line
    .trim()
    .replace(/^#{1,6}[ \t]+/, "")
    .replace(/^(?:file(?:name)?|path)[ \t]*:[ \t]*/i, "")
    .replace(/:$/, "");
  const path = /^(\*\*|`|\*\*`)?(.*?)(?:`\*\*|\*\*|`)?$/.exec(plain)?.[2]?.trim().replace(/:$/, "") ?? "";
  return path === "" || /[`*<>"|?]|^[-+=]/.test(path) || path.length > 1024 ? undefined : path;
}

const chunkOf = (search: readonly string[], replace: readonly string[]): Chunk => ({
  anchors: [],
  atEnd: false,
  lines: [
    ...search.map((text) => ({ mark: "-" as const, text })),
    ...replace.map((text) => ({ mark: "+" as const, text })),
  ],
});

interface Found {
  readonly path: string;
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/** `above`: the line above the block, which often names the file. */
export function readSearchReplace(lines: readonly string[], above: string): FileChange[] | Refusal {
  const found: Found[] = [];
  let path = pathLine(above);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (!start.test(line)) {
      path = pathLine(line);
      continue;
    }
    let stop = at + 1;
    while (stop < lines.length && !end.test(lines[stop] ?? "") && !start.test(lines[stop] ?? "")) stop++;
    if (!end.test(lines[stop] ?? ""))
      return refuse("partial_fence", 'A SEARCH block has no line ">>>>>>> REPLACE": it was cut off');
    const body = lines.slice(at + 1, stop);
    const middle = body.findIndex((other) => divider.test(other));
    if (middle === -1 || body.findLastIndex((other) => divider.test(other)) !== middle)
      return refuse("ambiguous_context", 'A SEARCH block needs exactly one line "======="');
    if (path === undefined) return refuse("invalid_diff", "A SEARCH block does not name its file on the line above it");
    found.push({ path, search: body.slice(0, middle), replace: body.slice(middle + 1) });
    at = stop;
  }
  return byFile(found);
}

function byFile(found: readonly Found[]): FileChange[] | Refusal {
  const files = new Map<string, FileChange>();
  for (const { path, search, replace } of found) {
    const known = files.get(path);
    if (search.length === 0) {
      if (known) return refuse("ambiguous_context", `${shown(path)}: an empty SEARCH names no place in the file`);
      files.set(path, { kind: "add", path, lines: replace });
      continue;
    }
    if (known && known.kind !== "update")
      return refuse("ambiguous_blocks", `${shown(path)} is created and changed in one answer`);
    const parts = [...(known?.parts ?? []), [chunkOf(search, replace)]];
    files.set(path, { kind: "update", path, moveTo: null, parts });
  }
  return [...files.values()];
}
