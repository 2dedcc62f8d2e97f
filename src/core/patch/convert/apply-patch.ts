// The form that OpenAI's models write for their tool apply_patch: from `*** Begin Patch` to `*** End Patch`, where lines are
// found by their text.
import { isRefusal, refuse, shown, type Chunk, type FileChange, type Refusal } from "./proposal.ts";

export const begins = (line: string): boolean => /^\*\*\* Begin Patch[ \t]*$/.test(line);
export const ends = (line: string): boolean => /^\*\*\* End Patch[ \t]*$/.test(line);

const opener = /^(?:[$>] ?)?apply_patch[ \t]+<<-?[ \t]*(['"]?)(\w+)\1[ \t]*$/;
const directive = /^\*\*\* (Add File|Delete File|Update File|Move to): (.*\S)[ \t]*$/;

interface Draft {
  readonly kind: "Add File" | "Delete File" | "Update File";
  readonly path: string;
  moveTo: string | null;
  readonly added: string[];
  readonly chunks: Mutable[];
}
interface Mutable {
  anchors: string[];
  lines: Chunk["lines"][number][];
  atEnd: boolean;
}

const empty = (anchors: string[] = []): Mutable => ({ anchors, lines: [], atEnd: false });

const malformed = (line: string): Refusal =>
  refuse("patch_malformed", `The line ${shown(line)} does not belong to a patch of the form "*** Begin Patch"`);

/** Every file of the text. Only the heredoc around it, and blank lines, may stand outside of the marks. */
export function readApplyPatch(lines: readonly string[]): FileChange[] | Refusal {
  const changes: FileChange[] = [];
  let heredoc: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const opened = opener.exec(line);
    if (begins(line)) {
      let end = at + 1;
      while (end < lines.length && !ends(lines[end] ?? "")) end++;
      if (end === lines.length) return refuse("partial_fence", 'The patch has no line "*** End Patch": it was cut off');
      const read = readFiles(lines.slice(at + 1, end));
      if (isRefusal(read)) return read;
      // A long list does not fit on the stack.
      for (const change of read) changes.push(change);
      at = end;
    } else if (opened && heredoc === undefined) heredoc = opened[2];
    else if (line === heredoc) heredoc = undefined;
    else if (line.trim() !== "") return malformed(line);
  }
  return changes;
}

function readFiles(lines: readonly string[]): FileChange[] | Refusal {
  const drafts: Draft[] = [];
  for (const line of lines) {
    const named = directive.exec(line);
    const draft = drafts.at(-1);
    const [, word = "", path = ""] = named ?? [];
    if (word === "Add File" || word === "Delete File" || word === "Update File")
      drafts.push({ kind: word, path, moveTo: null, added: [], chunks: [] });
    else if (word === "Move to") {
      if (draft?.kind !== "Update File" || draft.moveTo !== null || draft.chunks.length > 0) return malformed(line);
      draft.moveTo = path;
    } else if (!draft || !readLine(draft, line)) return malformed(line);
  }
  return drafts.map(toChange);
}

/** False when the line has no meaning where it is. */
function readLine(draft: Draft, line: string): boolean {
  if (draft.kind === "Delete File") return line.trim() === "";
  if (draft.kind === "Add File") {
    if (line.startsWith("+")) draft.added.push(line.slice(1));
    return line.startsWith("+") || line.trim() === "";
  }
  if (/^\*\*\* End of File[ \t]*$/.test(line)) {
    const last = draft.chunks.at(-1);
    if (last) last.atEnd = true;
    return last !== undefined;
  }
  if (/^@@(?: |$)/.test(line)) {
    const anchor = line.slice(2).replace(/^ /, "").replace(/ ?@@$/, "");
    const last = draft.chunks.at(-1);
    const anchors = anchor.trim() === "" ? [] : [anchor];
    if (last && last.lines.length === 0) last.anchors.push(...anchors);
    else draft.chunks.push(empty(anchors));
    return true;
  }
  const mark = line[0] ?? " ";
  if (mark !== " " && mark !== "+" && mark !== "-") return false;
  if (draft.chunks.length === 0 || draft.chunks.at(-1)?.atEnd) draft.chunks.push(empty());
  draft.chunks.at(-1)?.lines.push({ mark, text: line.slice(1) });
  return true;
}

function toChange({ kind, path, moveTo, added, chunks }: Draft): FileChange {
  if (kind === "Add File") return { kind: "add", path, lines: added };
  if (kind === "Delete File") return { kind: "delete", path };
  // Blank lines behind the last chunk separate it from the next file.
  const lastLines = chunks.at(-1)?.lines ?? [];
  while (lastLines.at(-1)?.mark === " " && lastLines.at(-1)?.text === "") lastLines.pop();
  return { kind: "update", path, moveTo, parts: [chunks.filter(({ lines }) => lines.length > 0)] };
}
