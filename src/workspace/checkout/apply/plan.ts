// Compares the checkout with two trees on the paths that differ between them, and plans the move from one to the other.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import { fromBytePath, isUtf8, type RawChange, type Repository } from "../../../platform/git/index.ts";
import { type BlobEntry, printEntry, workEntry, type Likeness, type WorkEntry } from "./checkout.ts";
import type { Print } from "./journal.ts";
import type { CheckoutView } from "./view.ts";

export interface PlannedMove {
  readonly path: string;
  readonly old: Print | null;
  /** The blob to put there, and whether it has to be converted as the old bytes were. */
  readonly entry: BlobEntry | null;
  readonly likeness: Likeness;
}

type Plan =
  | { readonly state: "movable"; readonly moves: readonly PlannedMove[]; readonly makes: readonly string[] }
  /** Every path already is what it would become. */
  | { readonly state: "already_there"; readonly paths: readonly string[] }
  /** These paths hold edits of the user. */
  | { readonly state: "blocked"; readonly dirty: readonly string[] };

const noMode = "000000";

interface Change {
  readonly path: string;
  readonly from: BlobEntry | undefined;
  readonly to: BlobEntry | undefined;
}

function asChange(raw: RawChange): Change {
  const path = fromBytePath(raw.path);
  if (!isUtf8(raw.path))
    fail("invalid_input", `${JSON.stringify(path)} is not a UTF-8 name and cannot be integrated.`, {
      remedy: "Rename the file in the worker's patch.",
    });
  if (raw.oldMode === "160000" || raw.newMode === "160000")
    fail("permission_denied", `${path} is a submodule; submodules are not changed by patches.`, {
      remedy: "Change the submodule yourself, then start again.",
    });
  const entry = (mode: string, id: string) => (mode === noMode ? undefined : { mode, id });
  return { path, from: entry(raw.oldMode, raw.oldId), to: entry(raw.newMode, raw.newId) };
}

/** Deletions, then replacements, then creations. */
const rank = (change: Change) => (change.to === undefined ? 0 : change.from === undefined ? 2 : 1);

/** Whether the path in the work tree equals this side of the change. git knows no folders: one counts as nothing. */
function isAt(view: CheckoutView, path: string, wanted: BlobEntry | undefined, found: WorkEntry | undefined) {
  if (!wanted && found?.kind === "directory") return "raw";
  return view.checkout.likeness(path, wanted, found);
}

export function planMove(view: CheckoutView, raw: readonly RawChange[]): Plan {
  const changes = raw.map(asChange).toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  const dirty: string[] = [];
  const moves: PlannedMove[] = [];
  let there = 0;
  for (const { path, from, to } of changes) {
    const found = workEntry(view.repository, path);
    if (isAt(view, path, to, found) !== undefined) there++;
    const likeness = isAt(view, path, from, found);
    const inTheWay = !from && found?.kind === "directory" && !becomesFile(view, path, changes);
    if (likeness === undefined || inTheWay || view.stagedByUser(path, [from, to])) dirty.push(path);
    const old = found ? printEntry(found) : null;
    moves.push({ path, old, entry: to ?? null, likeness: likeness ?? "raw" });
  }
  if (there === changes.length) return { state: "already_there", paths: changes.map(({ path }) => path) };
  if (dirty.length > 0) return { state: "blocked", dirty };
  return { state: "movable", moves, makes: missingFolders(view.repository, moves) };
}

/** A folder makes room for a file of its name when every file in it goes. */
function becomesFile(view: CheckoutView, path: string, changes: readonly Change[]): boolean {
  const going = new Set(changes.filter((change) => !change.to).map((change) => change.path));
  const left = (folder: string): boolean =>
    readdirSync(join(view.repository.top, folder), { withFileTypes: true }).some((entry) =>
      entry.isDirectory() ? left(`${folder}/${entry.name}`) : !going.has(`${folder}/${entry.name}`),
    );
  return !left(path);
}

function missingFolders(repository: Repository, moves: readonly PlannedMove[]): string[] {
  const missing = new Set<string>();
  for (const move of moves)
    for (let folder = dirname(move.path); folder !== "."; folder = dirname(folder))
      if (workEntry(repository, folder)?.kind !== "directory") missing.add(folder);
  return [...missing].toSorted();
}
