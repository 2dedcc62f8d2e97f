// Creates objects and refs while a `git gc` of the user may remove every object without a ref. When a gc runs, the objects
// are created again in a folder that gc does not know, and are moved into the repository as one pack that gc must keep.
// At the end of the work a ref or a worktree leads to them.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../core/contract/index.ts";
import { entryAt, syncFolder } from "../system/index.ts";
import { gcRuns, isCollecting } from "./collecting.ts";
import type { Repository } from "./locate.ts";
import { git } from "./run.ts";

const mostTries = 4;

const isGone = (error: unknown): boolean =>
  error instanceof FailureError && ["git_failed", "not_found"].includes(error.failure.code);

/** The work is done again from its beginning when it fails, or when a gc began beside it: it must bear that. */
export async function withGcPaused<T>(repository: Repository, work: (where: Repository) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const aside = tries > 1 || gcRuns(repository) ? openAside(repository) : undefined;
    try {
      const done = await work(aside ?? repository);
      // One that had read the refs before ours was there may still take away what it leads to.
      if (aside || !(gcRuns(repository) || isCollecting(repository))) return done;
    } catch (error) {
      if (!isGone(error) || tries >= mostTries) throw error;
    } finally {
      if (aside) closeAside(aside);
    }
  }
}

interface Aside extends Repository {
  readonly aside: { readonly objects: string; readonly keeps: string[] };
}

const prefix = "thehood-aside-";
const mark = "TheHood keeps this pack until a ref leads to it\n";
const dayMs = 86_400_000;

/** On the disk of the objects, so that a pack comes in by its name alone. */
function openAside(repository: Repository): Aside {
  const folder = join(repository.commonDir, "objects");
  removeStaleGcGuards(repository);
  return { ...repository, aside: { objects: mkdtempSync(join(folder, prefix)), keeps: [] } };
}

/** Leftovers of processes that were killed: their folders, and the marks of packs that gc had to keep meanwhile. */
export function removeStaleGcGuards({ commonDir }: Repository): void {
  const folder = join(commonDir, "objects");
  const packs = join(folder, "pack");
  const isOld = (path: string) => Date.now() - (entryAt(path)?.mtimeMs ?? Date.now()) > dayMs;
  const isMark = (path: string) => path.endsWith(".keep") && readFileSync(path, "utf8") === mark;
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(prefix)))
    if (isOld(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true });
  const marked = entryAt(packs)?.isDirectory() === true ? readdirSync(packs) : [];
  for (const path of marked.map((name) => join(packs, name)))
    if (isOld(path) && isMark(path)) rmSync(path, { force: true });
}

function closeAside({ aside: { objects, keeps } }: Aside): void {
  for (const keep of keeps) rmSync(keep, { force: true });
  rmSync(objects, { recursive: true, force: true });
}

/** What refs lead to. A collection beside us may have taken what one of them names: git would refuse the whole list. */
async function refsThatLead(where: Repository): Promise<string[]> {
  const { stdout } = await git(where, ["for-each-ref", "--format=%(objectname)"]);
  const looked = await git(where, ["cat-file", "--batch-check=%(objectname)"], { stdin: stdout });
  return looked.stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => /^[0-9a-f]+$/.test(line));
}

/** Brings everything that these objects reach and no ref does into the repository. Call it before they get a name. */
export async function bringIn(where: Repository, ...wanted: readonly string[]): Promise<void> {
  if (!where.aside) return;
  const { objects, keeps } = where.aside;
  // They may have their names already, and be gone.
  const others = (await refsThatLead(where)).filter((id) => !wanted.includes(id));
  const made = await git(where, ["pack-objects", "--revs", "--quiet", join(objects, "pack")], {
    stdin: [...wanted, ...others.map((id) => `^${id}`), ""].join("\n"),
    timeoutMs: 600_000,
  });
  const name = `pack-${made.stdout.toString("latin1").trim()}`;
  const folder = join(where.commonDir, "objects", "pack");
  mkdirSync(folder, { recursive: true });
  const keep = join(folder, `${name}.keep`);
  writeFileSync(keep, mark);
  keeps.push(keep);
  // git sees a pack by its index, so the index comes last.
  for (const kind of ["rev", "pack", "idx"])
    if (entryAt(join(objects, `${name}.${kind}`)))
      renameSync(join(objects, `${name}.${kind}`), join(folder, `${name}.${kind}`));
  syncFolder(folder);
}

/** The objects that are gone. One with a file of its own is seen without asking git. */
export async function missingAmong(repository: Repository, ids: readonly string[]): Promise<string[]> {
  const loose = (id: string) => entryAt(join(repository.commonDir, "objects", id.slice(0, 2), id.slice(2)));
  const asked = [...new Set(ids)].filter((id) => !loose(id));
  if (asked.length === 0) return [];
  const { stdout } = await git(inTheOpen(repository), ["cat-file", "--batch-check"], {
    stdin: `${asked.join("\n")}\n`,
  });
  return [...stdout.toString("latin1").matchAll(/^([0-9a-f]+) missing$/gm)].map(([, id]) => id ?? "");
}

/** The repository without the folder aside. */
export const inTheOpen = ({ top, gitDir, commonDir }: Repository): Repository => ({ top, gitDir, commonDir });
