// Determines the change that a section makes (create, delete, rename, copy, modify) and checks that its headers agree.
import type { ChangeKind, ExtendedHeader, FileLine, Name, Section, SectionBody } from "../model.ts";
import type { Cursor } from "./cursor.ts";

type Parts = Pick<Section, "line" | "before" | "header" | "extended" | "files" | "body">;

type Kind = ExtendedHeader["kind"];
type Of<K extends Kind, H = ExtendedHeader> = H extends { kind: Kind } ? (K extends H["kind"] ? H : never) : never;
type Facts = { [K in Kind]?: Of<K> };

function changeOf(facts: Facts): ChangeKind {
  if (facts.newFile) return "create";
  if (facts.deletedFile) return "delete";
  if (facts.renameFrom || facts.renameTo) return "rename";
  return facts.copyFrom || facts.copyTo ? "copy" : "modify";
}

/** Headers that may not occur together. */
const exclusive: readonly (readonly Kind[])[] = [
  ["newFile", "deletedFile"],
  ["newFile", "renameFrom"],
  ["newFile", "copyFrom"],
  ["newFile", "oldMode"],
  ["deletedFile", "renameFrom"],
  ["deletedFile", "copyFrom"],
  ["deletedFile", "oldMode"],
  ["renameFrom", "copyFrom"],
  ["similarity", "dissimilarity"],
];
const pairs: readonly (readonly [Kind, Kind])[] = [
  ["oldMode", "newMode"],
  ["renameFrom", "renameTo"],
  ["copyFrom", "copyTo"],
];
/** The prefixes git writes: plain, and with diff.mnemonicPrefix (index, commit, object against work tree, index). */
const prefixPairs = new Set(["a/b/", "i/w/", "c/i/", "c/w/", "o/w/", "w/i/", "i/c/", "w/c/", "w/o/"]);

function combinationError(extended: readonly ExtendedHeader[], facts: Facts): string | undefined {
  if (new Set(extended.map(({ kind }) => kind)).size !== extended.length) return "a header line occurs twice";
  const clash = exclusive.find((kinds) => kinds.every((kind) => facts[kind]));
  if (clash) return `"${clash.join('" and "')}" contradict each other`;
  const half = pairs.find(([one, two]) => Boolean(facts[one]) !== Boolean(facts[two]));
  return half ? `"${half.join('" and "')}" must come together` : undefined;
}

const sameName = (one: Name, two: Name): boolean => one.prefix === two.prefix && one.bytes === two.bytes;

function namesError({ header }: Parts, facts: Facts, change: ChangeKind): string | undefined {
  const moved = change === "rename" || change === "copy";
  if (!prefixPairs.has(header.old.prefix + header.new.prefix)) return 'the header does not name "a/…" and "b/…"';
  if (!moved && header.old.bytes !== header.new.bytes) return "two names, but neither rename nor copy";
  const from = facts.renameFrom?.name ?? facts.copyFrom?.name;
  const to = facts.renameTo?.name ?? facts.copyTo?.name;
  if (from && from.bytes !== header.old.bytes) return "the old name is not the one of the header";
  if (to && to.bytes !== header.new.bytes) return "the new name is not the one of the header";
  return undefined;
}

/** git refuses these too, so the names after `---` and `+++` are not judged further: the mismatch is the reason. */
function filesError({ header, files }: Parts, change: ChangeKind, cursor: Cursor): string | undefined {
  if (!files) return undefined;
  const fits = (line: FileLine, name: Name, absent: boolean): boolean => {
    const good = line.name === null ? absent : !absent && sameName(line.name, name);
    if (!good && line.name) cursor.disagreeing.add(line.name);
    return good;
  };
  const older = fits(files.old, header.old, change === "create");
  const newer = fits(files.new, header.new, change === "delete");
  if (older && newer) return undefined;
  return `the name behind "${older ? "+++" : "---"}" does not fit the header`;
}

function bodyError(body: SectionBody, files: Parts["files"], change: ChangeKind): string | undefined {
  if (body.kind !== "hunks") return undefined;
  if (!files) return "hunks without ---/+++ lines";
  const creates = change === "create" && body.hunks.some((hunk) => hunk.old.count > 0);
  if (creates) return "a new file depends on old lines";
  const [first, second] = body.hunks;
  if (change === "create" && (second || (first && (first.old.start !== 0 || first.new.start !== 1)))) {
    return "a new file starts at its first line, in one hunk";
  }
  return change === "delete" && body.hunks.some((hunk) => hunk.new.count > 0)
    ? "a deleted file keeps lines"
    : undefined;
}

const fullId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function settle(cursor: Cursor, parts: Parts): Section {
  const { line, extended, body, header } = parts;
  const facts: Facts = Object.fromEntries(extended.map((item) => [item.kind, item]));
  const change = changeOf(facts);
  const at = { line, path: header.new.path };
  const mismatch =
    combinationError(extended, facts) ??
    filesError(parts, change, cursor) ??
    namesError(parts, facts, change) ??
    bodyError(body, parts.files, change);
  if (mismatch) cursor.problem("header_mismatch", `The headers of ${header.new.path} disagree: ${mismatch}`, at);
  if (body.kind === "none" && change === "modify" && !facts.newMode) {
    cursor.problem("empty_patch", `The section of ${header.new.path} changes nothing`, at);
  }
  if (body.kind === "binary" && !(fullId.test(facts.index?.from ?? "") && fullId.test(facts.index?.to ?? ""))) {
    cursor.problem(
      "patch_malformed",
      `The binary patch of ${header.new.path} needs whole blob ids in its index line`,
      at,
    );
  }
  return {
    ...parts,
    change,
    oldPath: change === "create" ? null : header.old.path,
    newPath: change === "delete" ? null : header.new.path,
    oldMode: facts.oldMode?.mode ?? facts.deletedFile?.mode ?? facts.index?.mode ?? null,
    newMode: facts.newFile?.mode ?? facts.newMode?.mode ?? null,
  };
}
