// Answer → diff, with the forms that models write besides a fenced `diff --git` block. A form is converted when that is
// exact, and refused with the reason otherwise.
import { decodeUtf8, encodeUtf8, fromBytes, toBytes } from "../bytes.ts";
import { pathReason } from "../judge/paths.ts";
import { judgePatch } from "../judge/judge.ts";
import { mendPatch, type Mending } from "../mend.ts";
import type { TreeReader } from "../model.ts";
import { parsePatch } from "../read/read.ts";
import type { DiffReason } from "../reply/reasons.ts";
import {
  diffShape,
  isProgramOutput,
  judgeDiff,
  selectDiff,
  type SelectedDiff,
  type SelectOptions,
} from "../reply/select.ts";
import { begins, readApplyPatch } from "./apply-patch.ts";
import { buildPatch } from "./build.ts";
import { unescapeHtml } from "./html.ts";
import { findPieces, type Piece } from "./pieces.ts";
import { isRefusal, refuse, type Conversion, type FileChange, type Refusal } from "./proposal.ts";
import { readSearchReplace, startsSearch } from "./search-replace.ts";
import { readUnified } from "./unified.ts";
import { pathAbove, pathOfInfo } from "./whole-file.ts";

export interface AnswerOptions extends SelectOptions {
  /** The files that the answer is about. Without them only what needs no file is converted. */
  readonly tree?: TreeReader | undefined;
}

export interface AnswerDiff extends SelectedDiff {
  /** What was converted; null when the answer holds the diff as it is. */
  readonly conversion: Conversion | null;
}

/** Only an answer that lacks a diff of the usual form is read in another way; a refused path or an overlap stays refused. */
const open: ReadonlySet<DiffReason> = new Set<DiffReason>([
  "no_fenced_blocks",
  "no_diff_block",
  "invalid_diff",
  "no_numeric_hunk",
  "partial_fence",
  "header_mismatch",
  "hunk_header_malformed",
  "no_diff_header",
  "empty_patch",
]);

interface Form {
  readonly conversion: Conversion;
  readonly changes: readonly FileChange[];
}

type FormName = "apply_patch" | "search_replace" | "unified_diff";

function formOf({ lines, info, wrapper }: Piece): FormName | undefined {
  if (lines.some(begins)) return "apply_patch";
  if (lines.some(startsSearch)) return "search_replace";
  const text = lines.join("\n");
  if (diffShape(text) === "other" || (wrapper === null && isProgramOutput({ info, text }))) return undefined;
  return "unified_diff";
}

function readPiece(piece: Piece, form: FormName): { conversion: Conversion; changes: readonly FileChange[] } | Refusal {
  const lines = piece.lines.map(encodeUtf8);
  if (form === "unified_diff") {
    const read = readUnified(lines);
    if (isRefusal(read)) return read;
    return { conversion: read.unnumbered ? "unnumbered_hunks" : "unified_diff", changes: read.changes };
  }
  const changes = form === "apply_patch" ? readApplyPatch(lines) : readSearchReplace(lines, encodeUtf8(piece.above));
  return isRefusal(changes) ? changes : { conversion: form, changes };
}

/** A diff that is canonical apart from what is around it is named by that. */
const named = (found: readonly { readonly piece: Piece; readonly form: Form }[]): Conversion => {
  const [first] = found;
  const own = found.find(({ form }) => form.conversion !== "unified_diff")?.form.conversion;
  const bare = found.every(({ piece }) => piece.lines.some((line) => line.startsWith("diff --git ")));
  return own ?? (bare ? (first?.piece.wrapper ?? "unified_diff") : "unified_diff");
};

/** The changes that an answer proposes; undefined when it has none of the forms. */
function readForms(answer: string, tree: TreeReader | undefined): Form | Refusal | undefined {
  const { pieces, cut } = findPieces(answer);
  if (cut) return undefined;
  const texts = new Set<string>();
  const once = pieces.filter(({ lines }) => {
    const text = lines.join("\n");
    return texts.has(text) ? false : texts.add(text);
  });
  const known = once.flatMap((piece) => {
    const form = formOf(piece);
    return form === undefined ? [] : [{ piece, form }];
  });
  if (known.length === 0) return wholeFiles(once, tree);
  if (new Set(known.map(({ form }) => form)).size > 1)
    return refuse("ambiguous_blocks", "The answer gives changes in several forms");
  const read: { piece: Piece; form: Form }[] = [];
  for (const { piece, form } of known) {
    const one = readPiece(piece, form);
    if (isRefusal(one)) return one;
    read.push({ piece, form: one });
  }
  const changes = read.flatMap(({ form }) => form.changes);
  return changes.length === 0 ? undefined : { conversion: named(read), changes: joined(changes) };
}

/** SEARCH blocks of one file in several fences are parts of one change. */
function joined(changes: readonly FileChange[]): FileChange[] {
  const files = new Map<string, FileChange>();
  const all: FileChange[] = [];
  for (const change of changes) {
    const before = files.get(change.path);
    const alike =
      change.kind === "update" && before?.kind === "update" && change.moveTo === null && before.moveTo === null;
    if (!alike) {
      all.push(change);
      files.set(change.path, change);
      continue;
    }
    const both: FileChange = { ...change, parts: [...before.parts, ...change.parts] };
    all[all.indexOf(before)] = both;
    files.set(change.path, both);
  }
  return all;
}

function wholeFiles(pieces: readonly Piece[], tree: TreeReader | undefined): Form | undefined {
  const changes = pieces.flatMap((piece): FileChange[] => {
    const given = pathOfInfo(piece.info);
    const path = given ?? pathAbove(piece);
    if (path === undefined || piece.wrapper !== null) return [];
    const bytes = encodeUtf8(path);
    const lines = piece.lines.map(encodeUtf8);
    if (pathReason({ bytes, path }) === undefined && tree?.kind(path) !== undefined)
      return [{ kind: "replace", path: bytes, lines }];
    // A new file is named at its fence; a line above may name the output of a program.
    return given === undefined ? [] : [{ kind: "add", path: bytes, lines }];
  });
  return changes.length === 0 ? undefined : { conversion: "whole_file", changes };
}

interface Converted {
  readonly bytes: Uint8Array;
  readonly paths: readonly string[];
  readonly mended: readonly Mending[];
  readonly message: string;
}

const unnumbered: ReadonlySet<Conversion> = new Set<Conversion>(["apply_patch", "search_replace", "whole_file"]);

function judged(patch: string, given: AnswerOptions, conversion: Conversion): Converted | Refusal {
  // Forms that find lines by their text have no numbers, and a whole file or a move needs none.
  const options = { ...given, requireHunk: unnumbered.has(conversion) ? false : given.requireHunk !== false };
  const first = judgeDiff(toBytes(patch), options);
  if (!first.refusal)
    return { bytes: toBytes(patch), paths: first.judged.paths, mended: [], message: first.judged.message };
  const { bytes, mended } = mendPatch(toBytes(patch));
  const again = mended.length > 0 ? judgeDiff(bytes, options) : first;
  return again.refusal ?? { bytes, mended, paths: again.judged.paths, message: again.judged.message };
}

/** A diff of renames and modes alone is a whole change where the files are as it says. */
function withoutHunks(answer: string, options: AnswerOptions): Converted | undefined {
  const { tree } = options;
  const plain = selectDiff(answer, { ...options, requireHunk: false });
  if (!tree || !plain.valid || plain.patch === null) return undefined;
  const sections = parsePatch(plain.patch).patch.sections;
  const moves = sections.every(
    ({ change, newMode }) => change === "rename" || (change === "modify" && newMode !== null),
  );
  if (!moves || judgePatch(plain.patch, {}, tree).verdict === "reject") return undefined;
  return { bytes: plain.patch, paths: plain.paths, mended: plain.mended, message: plain.message };
}

/** The diff without entities, when it fits the files and the diff with them does not. */
function withoutEntities(diff: SelectedDiff, options: AnswerOptions): Converted | undefined {
  const { tree } = options;
  const text = diff.patch === null ? undefined : unescapeHtml(fromBytes(diff.patch));
  if (!tree || diff.patch === null || text === undefined) return undefined;
  if (judgePatch(diff.patch, {}, tree).reason !== "context_mismatch") return undefined;
  if (judgePatch(toBytes(text), {}, tree).verdict === "reject") return undefined;
  const done = judged(text, options, "escaped_html");
  return isRefusal(done) ? undefined : done;
}

const usable = (base: SelectedDiff, { bytes, ...rest }: Converted, conversion: Conversion): AnswerDiff => ({
  ...base,
  ...rest,
  conversion,
  found: true,
  valid: true,
  partial: false,
  reason: "ok",
  patch: bytes,
  text: decodeUtf8(fromBytes(bytes)),
});

const refusedOf = (diff: AnswerDiff): AnswerDiff => ({
  ...diff,
  found: true,
  valid: false,
  partial: false,
  patch: null,
  text: null,
});

/** Wrong counts may mean that Markdown ends the block at a fence that is a line of the diff. */
const cutOff = refuse("partial_fence", "The answer ends inside a fenced block");

/** The diff of an answer. Strict mode converts nothing. */
export function diffOfAnswer(answer: string, options: AnswerOptions = {}): AnswerDiff {
  const diff = selectDiff(answer, options);
  const same: AnswerDiff = { ...diff, conversion: null };
  if (options.strict === true || options.mend === false) return same;
  const fences = diff.mended.includes("hunk_counts") ? findPieces(answer) : undefined;
  if (fences?.cut) return { ...refusedOf(same), partial: true, ...cutOff };
  if (diff.valid && !fences?.pieces.some(({ wrapper }) => wrapper === "nested_fence")) {
    const plain = withoutEntities(diff, options);
    return plain ? usable(diff, plain, "escaped_html") : same;
  }
  if (!diff.valid && !open.has(diff.reason)) return same;
  const moves = diff.reason === "no_numeric_hunk" ? withoutHunks(answer, options) : undefined;
  if (moves) return usable(diff, moves, "rename_or_mode");
  const form = readForms(answer, options.tree);
  if (form === undefined) return same;
  const refused = refusedOf(same);
  if (isRefusal(form)) return { ...refused, ...form };
  const patch = buildPatch(form.changes, options.tree);
  const done = typeof patch === "string" ? judged(patch, options, form.conversion) : patch;
  if (!isRefusal(done)) return usable(diff, done, form.conversion);
  return { ...refused, ...done, conversion: form.conversion };
}
