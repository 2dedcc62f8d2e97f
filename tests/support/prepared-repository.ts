// A repository with files in its first commit. git makes each once in a process; the next with the same files is written
// from memory, down to the times and inodes in its index, as if git had made it there.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What lies below a folder: the folders before what is in them. */
interface Kept {
  readonly folders: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: Buffer; readonly mode: number }[];
}

const prepared = new Map<string, Kept>();

/** `make` lets git make the repository in a folder that holds the files; `key` names all that it depends on. */
export function prepareRepository(folder: string, key: string, make: () => void): void {
  const known = prepared.get(key);
  if (known) return putBack(join(folder, ".git"), folder, known);
  make();
  dropSamples(join(folder, ".git", "hooks"));
  prepared.set(key, keep(join(folder, ".git")));
}

/** Every repository of git's begins with a dozen hooks that do nothing. */
function dropSamples(hooks: string): void {
  for (const name of readdirSync(hooks)) if (name.endsWith(".sample")) rmSync(join(hooks, name));
}

function keep(gitDir: string): Kept {
  const entries = readdirSync(gitDir, { recursive: true, encoding: "utf8" }).map((path) => {
    const found = lstatSync(join(gitDir, path));
    return { path, mode: found.mode & 0o777, isFolder: found.isDirectory() };
  });
  const folders = entries.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  const files = entries.filter(({ isFolder }) => !isFolder);
  return {
    folders: folders.toSorted(),
    files: files.map(({ path, mode }) => ({ path, mode, bytes: readFileSync(join(gitDir, path)) })),
  };
}

function putBack(gitDir: string, folder: string, { folders, files }: Kept): void {
  mkdirSync(gitDir);
  for (const path of folders) mkdirSync(join(gitDir, path));
  for (const { path, bytes, mode } of files)
    writeFileSync(join(gitDir, path), path === "index" ? asIfAdded(bytes, folder) : bytes, { mode });
}

const headerBytes = 12;
const statBytes = 40;
const idBytes = 20;
const flagBytes = 2;

/** An index of version 2 whose entries tell what the system tells about the files in this folder. */
function asIfAdded(index: Buffer, folder: string): Buffer {
  const copy = Buffer.from(index);
  let at = headerBytes;
  for (let left = copy.readUInt32BE(8); left > 0; left -= 1) {
    const name = at + statBytes + idBytes + flagBytes;
    const end = copy.indexOf(0, name);
    const found = lstatSync(join(folder, copy.toString("utf8", name, end)), { bigint: true });
    const second = 1_000_000_000n;
    const { ctimeNs, mtimeNs, dev, ino } = found;
    [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, dev, ino].forEach((value, word) =>
      copy.writeUInt32BE(Number(BigInt.asUintN(32, value)), at + 4 * word),
    );
    // An entry ends with one to eight NULs, at a multiple of eight.
    at += Math.floor((end - at + 8) / 8) * 8;
  }
  const body = copy.subarray(0, -idBytes);
  createHash("sha1").update(body).digest().copy(copy, body.length);
  return copy;
}
