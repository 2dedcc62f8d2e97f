// Changes of files → the sections of a canonical patch, against the files as they are.
import { newEffort, type Effort } from "../apply/apply.ts";
import { decodeUtf8, fromBytes } from "../bytes.ts";
import { pathReason } from "../judge/paths.ts";
import type { TreeReader } from "../model.ts";
import { openText, placeChunks, type TextFile } from "./place.ts";
import { isRefusal, refuse, shown, type FileChange, type Refusal } from "./proposal.ts";
import { replaceWhole } from "./whole-file.ts";
import { printChanged, printCreated, printDeleted, type LineEdit } from "./write.ts";

const pathsOf = (change: FileChange): string[] =>
  change.kind === "update" && change.moveTo !== null ? [change.path, change.moveTo] : [change.path];

/** Every path is judged before a file is read. */
function unsafe(change: FileChange): Refusal | undefined {
  for (const bytes of pathsOf(change)) {
    const reason = pathReason({ bytes, path: decodeUtf8(bytes) });
    if (reason !== undefined) return refuse("unsafe_path", `The answer touches ${shown(bytes)} (${reason})`);
  }
  return undefined;
}

function open(tree: TreeReader, bytes: string): TextFile | Refusal {
  const path = decodeUtf8(bytes);
  const kind = tree.kind(path);
  if (kind === "symlink") return refuse("symlink_change", `${shown(bytes)} is a symbolic link`);
  const content = kind === "file" || kind === "executable" ? tree.content(path) : undefined;
  return content === undefined
    ? refuse("context_mismatch", `There is no file ${shown(bytes)}`)
    : openText(bytes, fromBytes(content));
}

const modeOf = (tree: TreeReader, bytes: string): string =>
  tree.kind(decodeUtf8(bytes)) === "executable" ? "100755" : "100644";

/** The section of one change; `tree` is undefined where there are no files to compare with. */
function sectionOf(change: FileChange, tree: TreeReader | undefined, effort: Effort): string | Refusal {
  const bad = unsafe(change);
  if (bad) return bad;
  const { path } = change;
  if (change.kind === "section") return change.text;
  if (change.kind === "add")
    return printCreated(
      path,
      change.lines.map((line) => `${line}\n`),
    );
  if (!tree) return refuse("context_mismatch", `${shown(path)}: the lines can be found only in the files`);
  const file = open(tree, path);
  if (isRefusal(file)) return file;
  if (change.kind === "delete") return printDeleted(path, file.lines, modeOf(tree, path));
  const edits: LineEdit[] | Refusal =
    change.kind === "replace" ? replaceWhole(file, change.lines) : placeChunks(file, change.parts, effort);
  if (isRefusal(edits)) return edits;
  if (edits.length === 0 && (change.kind === "replace" || change.moveTo === null))
    return refuse("empty_patch", `${shown(path)} has the lines of the change already`);
  return printChanged(path, change.kind === "update" ? change.moveTo : null, file.lines, edits);
}

/** The patch of all changes, as a byte string. A file that two of them touch is refused. */
export function buildPatch(changes: readonly FileChange[], tree: TreeReader | undefined): string | Refusal {
  const seen = new Set<string>();
  const sections: string[] = [];
  const effort = newEffort();
  for (const change of changes) {
    for (const bytes of pathsOf(change)) {
      const path = decodeUtf8(bytes).normalize("NFC").toLowerCase();
      if (seen.has(path)) return refuse("ambiguous_blocks", `The answer changes ${shown(bytes)} in several places`);
      seen.add(path);
    }
    const section = sectionOf(change, tree, effort);
    if (typeof section !== "string") return section;
    sections.push(section);
  }
  return sections.join("");
}
