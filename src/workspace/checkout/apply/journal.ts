// The written plan of a move into the checkout. Once it is on the disk the move is finished or undone, also when a process dies.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import { entryAt, removeFolder, syncFolder, writeDurably } from "../../../platform/system/index.ts";
import { readPlain } from "../../../platform/paths/index.ts";

/** The fingerprint of a path: enough to detect a change. */
const print = z.object({ kind: z.enum(["file", "symlink"]), executable: z.boolean(), sha256: z.string() });
export type Print = z.infer<typeof print>;

const move = z.object({
  path: z.string(),
  /** The print that must be there before; null: nothing. */
  old: print.nullable(),
  /** The fingerprint after the move; null: nothing. The file is staged in `new/<index>`. */
  new: print.nullable(),
  /** The folder of the checkout that the file is staged in when it is on another disk than the journal. */
  beside: z.string().optional(),
});
export type Move = z.infer<typeof move>;

const journalSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  /** The checkout when the journal was written. A recovery works in the checkout that holds the journal. */
  top: z.string(),
  /** The number of the journal's folder on the disk. A copy of the repository has another one. */
  inode: z.number().optional(),
  fromTree: z.string(),
  toTree: z.string(),
  /** Deletions first, then replacements, then creations: so that a link can make room for a folder. */
  moves: z.array(move),
  /** Folders that did not exist before, outermost first. */
  makes: z.array(z.string()),
});
export interface Journal extends z.infer<typeof journalSchema> {
  /** The repository was copied or restored since: two names of one file are two files by now. */
  readonly copied?: boolean;
}

export interface JournalLocation {
  readonly folder: string;
  readonly file: string;
  staged(index: number): string;
  taken(index: number): string;
  gone(index: number): string;
}

export function journalLocation(folder: string): JournalLocation {
  return {
    folder,
    file: join(folder, "journal.json"),
    staged: (index) => join(folder, "new", String(index)),
    taken: (index) => join(folder, "old", String(index)),
    gone: (index) => join(folder, "gone", String(index)),
  };
}

const besideStart = (location: JournalLocation) => `.thehood-move-${basename(location.folder)}-`;
const besideList = (location: JournalLocation) => join(location.folder, "beside.json");

/** The same place, for moves of which some are staged beside their files. */
export function withStagedName(
  location: JournalLocation,
  top: string,
  moves: readonly { readonly beside?: string | undefined }[],
): JournalLocation {
  const at = (kind: "staged" | "taken" | "gone") => (index: number) => {
    const folder = moves[index]?.beside;
    return folder === undefined ? location[kind](index) : join(top, folder, `${besideStart(location)}${index}.${kind}`);
  };
  return { ...location, staged: at("staged"), taken: at("taken"), gone: at("gone") };
}

/** Before anything is staged beside the user's files: a crash must not leave it there. Folders below the checkout. */
export function recordStagedName(location: JournalLocation, folders: readonly string[]): void {
  if (folders.length > 0) writeDurably(besideList(location), `${besideList(location)}.tmp`, json(folders));
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

function besideFolders(location: JournalLocation, top: string): string[] {
  if (!existsSync(besideList(location))) return [];
  const listed = z.array(z.string()).parse(JSON.parse(readFileSync(besideList(location), "utf8")));
  return listed.filter((folder) => !isAbsolute(folder)).map((folder) => join(top, folder));
}

function sweepBeside(location: JournalLocation, top: string): void {
  for (const folder of besideFolders(location, top))
    for (const name of entryAt(folder)?.isDirectory() === true ? readdirSync(folder) : [])
      if (name.startsWith(besideStart(location))) rmSync(join(folder, name), { force: true });
}

/** The commit point: from here on the move will be finished or undone. */
export function writeJournal(location: JournalLocation, journal: Journal): void {
  for (const folder of besideFolders(location, journal.top)) syncFolder(folder);
  for (const name of ["new", "old", "gone"]) syncFolder(join(location.folder, name));
  const whole = { ...journal, inode: lstatSync(location.folder).ino };
  writeDurably(location.file, `${location.file}.tmp`, Buffer.from(JSON.stringify(whole)));
  syncFolder(join(location.folder, ".."));
}

export function readJournal(location: JournalLocation): Journal | undefined {
  if (!existsSync(location.file)) return undefined;
  const parsed = journalSchema.safeParse(JSON.parse(readFileSync(location.file, "utf8")));
  if (parsed.success) return parsed.data;
  return fail("store_corrupt", `${location.file} is not a journal this version can read.`, {
    remedy: "An unfinished integration is beside it (old/, new/). Finish it by hand, then remove the folder.",
  });
}

/** The journal for the checkout that holds it, which may have been renamed, copied or restored since. */
export function journalOfCheckout(location: JournalLocation, top: string): Journal | undefined {
  const journal = readJournal(location);
  if (!journal) return undefined;
  const copied = journal.inode !== undefined && journal.inode !== lstatSync(location.folder).ino;
  return { ...journal, top, copied };
}

const conflict = z.object({ path: z.string(), why: z.string() });
export type Conflict = z.infer<typeof conflict>;

const moveResult = z.object({
  /** done: wholly new; undone: wholly old; conflict: a user worked on it meanwhile and some files need their eyes. */
  ending: z.enum(["done", "undone", "conflict"]),
  /** Why it was undone, and what could not be restored automatically. */
  conflicts: z.array(conflict),
});
export type MoveResult = z.infer<typeof moveResult>;

/** The first line of a mover that runs; its result is the second one. */
export const readyLine = "ready\n";

const endFile = (location: JournalLocation) => join(location.folder, "ended.json");

/** The move is over; from here on the journal is only history. */
export function closeJournal(location: JournalLocation, result: MoveResult): void {
  writeDurably(endFile(location), `${endFile(location)}.tmp`, Buffer.from(JSON.stringify(result)));
}

export function readEnding(location: JournalLocation): MoveResult | undefined {
  if (!existsSync(endFile(location))) return undefined;
  return moveResult.parse(JSON.parse(readFileSync(endFile(location), "utf8")));
}

/**
 * Removes what is left of a finished move, or of one that never began. An unfinished one stays for the recovery, with
 * the user's files in it; files of a conflict stay for the user.
 */
export function clearJournal(location: JournalLocation, top: string): void {
  const ended = readEnding(location);
  const over = ended ? ended.ending !== "conflict" : !existsSync(location.file);
  if (over) dropJournal(location, top);
}

/** The journal goes first: without it the rest is nothing to carry out, wherever a crash stops this. */
export function dropJournal(location: JournalLocation, top: string): void {
  rmSync(location.file, { force: true });
  sweepBeside(location, top);
  removeFolder(location.folder);
}

/** The print of a path right now, no link followed; undefined for nothing, "other" for a kind that we never touch. */
export function printOf(path: string): Print | "other" | undefined {
  const found = entryAt(path);
  if (!found) return undefined;
  if (found.isSymbolicLink()) return { kind: "symlink", executable: false, sha256: hash(readlinkSync(path, "buffer")) };
  const plain = readPlain(path);
  if (!plain) return "other";
  return { kind: "file", executable: (plain.stats.mode & 0o100) !== 0, sha256: hash(plain.bytes) };
}

export const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export function samePrint(a: Print | "other" | undefined, b: Print | null): boolean {
  if (a === undefined || a === "other" || b === null) return a === undefined && b === null;
  return a.kind === b.kind && a.executable === b.executable && a.sha256 === b.sha256;
}
