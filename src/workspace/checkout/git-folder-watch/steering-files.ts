// The files that steer git for all users of a git folder: hooks, configuration, attributes, alternates. They are
// copied before a worker starts and put back afterwards.
import { mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { entryAt, syncFolder, writeDurably } from "../../../platform/system/index.ts";
import { isFreshClone, isHonestChange, withUsersLines } from "./harmless-changes.ts";

interface GitFolder {
  /** Below the common git folder; "" is that folder itself. */
  readonly path: string;
  /** The folder of a linked worktree. Such folders come and go in normal work. */
  readonly linked: boolean;
}

/** Submodules nest, and so do the names of submodules; a worker must not send this search down without an end. */
const maxDepth = 16;

function gitFoldersIn(commonDir: string): GitFolder[] {
  return insideOf(commonDir, { path: "", linked: false }, 0);
}

function insideOf(base: string, folder: GitFolder, depth: number): GitFolder[] {
  if (depth > maxDepth) return [];
  const worktrees = foldersIn(base, below(folder.path, "worktrees"));
  return [
    folder,
    ...worktrees.flatMap((path) => insideOf(base, { path, linked: true }, depth + 1)),
    ...submodulesIn(base, below(folder.path, "modules"), folder.linked, depth + 1),
  ];
}

/** The git folder of a submodule is as deep as its name has slashes. */
function submodulesIn(base: string, path: string, linked: boolean, depth: number): GitFolder[] {
  if (depth > maxDepth) return [];
  return foldersIn(base, path).flatMap((inner) =>
    entryAt(join(base, inner, "HEAD"))
      ? insideOf(base, { path: inner, linked }, depth)
      : submodulesIn(base, inner, linked, depth + 1),
  );
}

/** Links are not followed: git makes none here. */
function foldersIn(base: string, path: string): string[] {
  if (entryAt(join(base, path))?.isDirectory() !== true) return [];
  return readdirSync(join(base, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => below(path, entry.name))
    .toSorted();
}

export const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The paths in a git folder that git runs or obeys. `logs`, `objects` and the like change in normal work. */
const places = (
  "commondir config config.worktree hooks info/attributes info/exclude info/grafts " +
  "info/sparse-checkout objects/info/alternates objects/info/http-alternates"
).split(" ");
const maxBytes = 1 << 20;

const entrySchema = z.union([
  z.object({ kind: z.literal("file"), mode: z.number(), base64: z.string() }),
  z.object({ kind: z.literal("link"), target: z.string() }),
  /** Too large or special to copy: a change is detected, and not put back. */
  z.object({ kind: z.literal("other"), print: z.string() }),
]);
export type Entry = z.infer<typeof entrySchema>;

/** Git folder below the common one → its files. */
export const steeringSchema = z.record(
  z.string(),
  z.object({ linked: z.boolean(), files: z.record(z.string(), entrySchema) }),
);
type Steering = z.infer<typeof steeringSchema>;

export function copySteering(commonDir: string): Steering {
  return Object.fromEntries(
    gitFoldersIn(commonDir).map(({ path, linked }) => {
      const files: Record<string, Entry> = {};
      for (const place of places) visitPlace(join(commonDir, path), place, files);
      return [path, { linked, files }];
    }),
  );
}

/** A link on the way to a path is an entry of its own: the file behind it is not part of the git folder. */
function visitPlace(base: string, place: string, files: Record<string, Entry>): void {
  const names = place.split("/");
  const ways = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const link = ways.find((way) => entryAt(join(base, way))?.isSymbolicLink());
  visit(base, link ?? place, files);
}

function visit(base: string, path: string, files: Record<string, Entry>): void {
  const full = join(base, path);
  const stats = entryAt(full);
  if (!stats) return;
  if (stats.isDirectory()) for (const name of readdirSync(full).toSorted()) visit(base, `${path}/${name}`, files);
  else if (stats.isSymbolicLink()) files[path] = { kind: "link", target: readlinkSync(full) };
  else if (stats.isFile() && stats.size <= maxBytes)
    files[path] = { kind: "file", mode: stats.mode & 0o777, base64: readFileSync(full).toString("base64") };
  else files[path] = { kind: "other", print: `${stats.mode}:${stats.size}:${stats.mtimeMs}` };
}

interface Restoring {
  /** All that the worker can have written, below the common git folder; undefined when that is not known. */
  readonly written: readonly string[] | undefined;
  /** A folder for the files as they were found. */
  readonly aside: string;
}

/** Puts back each file that a worker changed, and gives their paths below the common git folder. */
export function restoreSteering(commonDir: string, before: Steering, restoring: Restoring): string[] {
  const after = copySteering(commonDir);
  const folders = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const restored = folders.flatMap((folder) => {
    const [old, now] = [before[folder], after[folder]];
    // A worktree that was added or removed meanwhile steers no other git.
    if ((!old && now?.linked) || (!now && old?.linked)) return [];
    if (!old && now && isFreshClone(now.files)) return [];
    const changed = changedFiles(old?.files ?? {}, now?.files ?? {}).filter(
      (path) => restoring.written?.includes(below(folder, path)) ?? true,
    );
    for (const path of changed) {
      const found = now?.files[path];
      keepAside(join(restoring.aside, folder, path), found);
      putBack(join(commonDir, folder, path), withUsersLines(path, old?.files[path], found));
    }
    return changed.map((path) => below(folder, path));
  });
  return restored.toSorted();
}

function changedFiles(old: Record<string, Entry>, now: Record<string, Entry>): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((path) => JSON.stringify(old[path]) !== JSON.stringify(now[path]))
    .filter((path) => !isHonestChange(path, old[path], now[path]))
    .toSorted();
}

/** It may be the user's after all. */
function keepAside(path: string, found: Entry | undefined): void {
  if (found?.kind !== "file") return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeDurably(path, `${path}.${process.pid}`, Buffer.from(found.base64, "base64"), 0o600);
}

/** On the disk when it returns: the copy that it is made from goes next. */
function putBack(path: string, old: Entry | undefined): void {
  if (old?.kind === "other") return;
  const folder = dirname(path);
  if (old?.kind !== "file" || entryAt(path)?.isDirectory() === true) rmSync(path, { recursive: true, force: true });
  if (old) mkdirSync(folder, { recursive: true });
  if (old?.kind === "link") symlinkSync(old.target, path);
  if (old?.kind === "file")
    writeDurably(path, `${path}.${process.pid}.thehood`, Buffer.from(old.base64, "base64"), old.mode);
  if (entryAt(folder)?.isDirectory() === true) syncFolder(folder);
}
