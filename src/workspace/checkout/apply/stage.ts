// Lays the new files beside the checkout, complete and on the disk, before anything in it is touched.
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { targetAt } from "../../../platform/system/index.ts";
import { git, joinRecords, readBlobs, toBytePath, type Repository } from "../../../platform/git/index.ts";
import { hash, recordStagedName, withStagedName, type JournalLocation, type Move, type Print } from "./journal.ts";
import type { PlannedMove } from "./plan.ts";

/** Contents as the checkout needs them: raw blobs, or converted the way git converts on checkout. */
async function contents(
  repository: Repository,
  moves: readonly PlannedMove[],
  toTree: string,
  folder: string,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const files = moves.filter((move) => move.entry !== null);
  const plain = files.filter((move) => move.entry?.mode === "120000" || (move.old !== null && move.likeness === "raw"));
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
  const stdin = joinRecords(moves.map((move) => toBytePath(move.path)));
  await git(repository, ["checkout-index", "-z", "--stdin", `--prefix=${folder}/`], { ...around, stdin });
  for (const move of moves) found.set(move.path, readFileSync(join(folder, move.path)));
  return found;
}

function layFile(path: string, bytes: Buffer, executable: boolean): void {
  const draft = `${path}.tmp`;
  const fd = openSync(draft, "wx", executable ? 0o777 : 0o666);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    // A umask may remove the owner's execute bit; git sets that bit whatever the umask.
    if (executable) fchmodSync(fd, 0o777 & ~currentUmask());
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
}

const currentUmask = () => process.umask();

/**
 * The nearest folder around a path, when it is on another disk than the journal: a rename between two disks is not
 * possible, so its files are staged in that folder.
 */
function otherDisk(top: string, path: string, disk: number): string | undefined {
  let folder = dirname(path);
  while (folder !== "." && targetAt(join(top, folder))?.isDirectory() !== true) folder = dirname(folder);
  return statSync(join(top, folder)).dev === disk ? undefined : folder;
}

/** Stages everything and answers the moves for the journal. */
export async function stage(
  repository: Repository,
  planned: readonly PlannedMove[],
  toTree: string,
  folder: JournalLocation,
): Promise<Move[]> {
  for (const name of ["new", "old", "gone"]) mkdirSync(join(folder.folder, name));
  const disk = statSync(folder.folder).dev;
  const besides = planned.map(({ path }) => otherDisk(repository.top, path, disk));
  const found = new Set(besides.filter((one) => one !== undefined));
  recordStagedName(folder, [...found]);
  const location = withStagedName(
    folder,
    repository.top,
    besides.map((beside) => ({ beside })),
  );
  const bytesOf = await contents(repository, planned, toTree, folder.folder);
  return planned.map((move, index) => {
    const { path, old, entry } = move;
    const beside = besides[index];
    const where = beside === undefined ? {} : { beside };
    if (!entry) return { path, old, new: null, ...where };
    const bytes = bytesOf.get(path) ?? Buffer.alloc(0);
    const isLink = entry.mode === "120000";
    if (isLink) symlinkSync(bytes.toString("utf8"), location.staged(index));
    else layFile(location.staged(index), bytes, entry.mode === "100755");
    const fresh: Print = {
      kind: isLink ? "symlink" : "file",
      executable: entry.mode === "100755",
      sha256: hash(bytes),
    };
    return { path, old, new: fresh, ...where };
  });
}
