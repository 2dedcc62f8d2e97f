// Lays the new files beside the checkout, complete and on the disk, before anything in it is touched.
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { git, joinRecords, readBlobs, toBytes, type Repository } from "../../git/index.ts";
import { hash, type JournalPlace, type Move, type Print } from "./journal.ts";
import type { PlannedMove } from "./plan.ts";

/** Contents as the checkout wants them: raw blobs, or converted the way git converts on checkout. */
async function contents(
  repository: Repository,
  moves: readonly PlannedMove[],
  toTree: string,
  folder: string,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const files = moves.filter((move) => move.entry !== null);
  const plain = files.filter(
    (move) => move.entry?.mode === "120000" || (move.old !== null && move.likeness === "raw"),
  );
  const blobs = await readBlobs(
    repository,
    plain.map((move) => move.entry?.id ?? ""),
  );
  for (const [index, move] of plain.entries()) found.set(move.path, blobs[index] ?? Buffer.alloc(0));
  // New files follow the attributes of the tree; files that were converted before stay so.
  const fresh = files.filter((move) => !found.has(move.path) && move.old === null);
  const converted = files.filter((move) => !found.has(move.path) && move.old !== null);
  for (const [name, group, convert] of [
    ["fresh", fresh, false],
    ["converted", converted, true],
  ] as const)
    for (const [path, bytes] of await checkOut(repository, group, toTree, join(folder, name), convert))
      found.set(path, bytes);
  return found;
}

async function checkOut(
  repository: Repository,
  moves: readonly PlannedMove[],
  toTree: string,
  folder: string,
  convertLineEndings: boolean,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (moves.length === 0) return found;
  mkdirSync(folder);
  const around = { indexFile: join(folder, ".index"), convertLineEndings };
  await git(repository, ["read-tree", toTree], around);
  const stdin = joinRecords(moves.map((move) => toBytes(move.path)));
  await git(repository, ["checkout-index", "-z", "--stdin", `--prefix=${folder}/`], { ...around, stdin });
  for (const move of moves) found.set(move.path, readFileSync(join(folder, move.path)));
  return found;
}

function layFile(path: string, bytes: Buffer, executable: boolean): void {
  const draft = `${path}.tmp`;
  const fd = openSync(draft, "wx", executable ? 0o777 : 0o666);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    // A umask may hide the owner's own right to run it; git sets that bit whatever the umask says.
    if (executable) fchmodSync(fd, 0o777 & ~currentUmask());
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
}

const currentUmask = () => process.umask();

/** Stages everything and answers the moves for the journal. */
export async function stage(
  repository: Repository,
  planned: readonly PlannedMove[],
  toTree: string,
  place: JournalPlace,
): Promise<Move[]> {
  for (const name of ["new", "old", "gone"]) mkdirSync(join(place.folder, name));
  const bytesOf = await contents(repository, planned, toTree, place.folder);
  return planned.map((move, index) => {
    const { path, old, entry } = move;
    if (!entry) return { path, old, new: null };
    const bytes = bytesOf.get(path) ?? Buffer.alloc(0);
    const isLink = entry.mode === "120000";
    if (isLink) symlinkSync(bytes.toString("utf8"), place.staged(index));
    else layFile(place.staged(index), bytes, entry.mode === "100755");
    const fresh: Print = {
      kind: isLink ? "symlink" : "file",
      executable: entry.mode === "100755",
      sha256: hash(bytes),
    };
    return { path, old, new: fresh };
  });
}
