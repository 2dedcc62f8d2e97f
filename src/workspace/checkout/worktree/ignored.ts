// Files that a worker wrote and the repository ignores: searched once, before the folder is removed, and copied to a private
// state folder. They may hold secrets, so they never become git objects, which a push could publish.
import {
  copyFileSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fromBytePath, git, isUtf8, splitRecords, toBytePath, type Repository } from "../../../platform/git/index.ts";
import { ensureFolder, syncFile, syncFolder } from "../../../platform/system/index.ts";
import { fileAt, through, type Lens } from "./stage.ts";
import { stateSubfolder } from "./state-dir.ts";

/** Folders that tools make again and that hold no work of a hand. */
const made =
  /(?:^|\/)(?:node_modules|bower_components|\.venv|venv|__pycache__|target|dist|build|_build|out|coverage|\.next|\.nuxt|\.turbo|\.parcel-cache|\.cache|\.gradle|\.tox|\.nox|\.eggs|\.(?:mypy|pytest|ruff)_cache|vendor|deps)\/|\.(?:pyc|pyo|o|obj|class|tsbuildinfo)$|(?:^|\/)\.DS_Store$/;
const mostIgnored = { files: 5_000, bytes: 256 << 20 };

export interface Ignored {
  readonly paths: readonly string[];
  readonly tooMuch: boolean;
}

/** The files that a worker wrote and the repository's own rules ignore: no part of its work, and yet not ours to lose. */
export async function findIgnored(lens: Lens): Promise<Ignored> {
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard"];
  const listed = splitRecords((await git(lens.repository, args, through(lens))).stdout);
  const paths = listed.filter((path) => !path.endsWith("/") && !made.test(path));
  const bytes = paths.reduce((sum, path) => sum + (fileAt(lens.workTree, path)?.size ?? 0), 0);
  const odd = paths.some((path) => !isUtf8(path));
  const tooMuch = odd || paths.length > mostIgnored.files || bytes > mostIgnored.bytes;
  return { paths: tooMuch ? [] : paths.map(fromBytePath), tooMuch };
}

function copy(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) return symlinkSync(readlinkSync(from), to);
  copyFileSync(from, to);
  syncFile(to);
}

/** Whether the folder holds these files with this content already: a crash may have come between the copy and the end. */
function holds(folder: string, workTree: string, paths: readonly string[]): boolean {
  return paths.every((path) => {
    const [kept, now] = [join(folder, path), join(workTree, path)];
    const found = lstatSync(kept, { throwIfNoEntry: false });
    if (!found?.isFile() || !lstatSync(now).isFile()) return false;
    return readFileSync(kept).equals(readFileSync(now));
  });
}

/** The checkout has the very same file: it was copied from there, and nothing of it would be lost. */
function isCopied({ top }: Repository, workTree: string, path: string): boolean {
  const [mine, theirs] = [join(workTree, path), join(top, path)];
  const sizes = [mine, theirs].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  const [own, other] = sizes;
  if (!own?.isFile() || !other?.isFile() || own.size !== other.size) return false;
  return readFileSync(mine).equals(readFileSync(theirs));
}

/** Copies them to `kept/RUN/N` of the state folder, readable by the user alone. */
export function keepIgnored(repository: Repository, runId: string, workTree: string, paths: readonly string[]): void {
  const own = paths.filter((path) => {
    const found = fileAt(workTree, toBytePath(path));
    return (found?.isFile() === true || found?.isSymbolicLink() === true) && !isCopied(repository, workTree, path);
  });
  if (own.length === 0) return;
  const base = stateSubfolder(repository, "kept", runId);
  const numbers = readdirSync(base).map(Number).filter(Number.isSafeInteger);
  const last = numbers.reduce((most, one) => Math.max(most, one), 0);
  if (last > 0 && holds(join(base, String(last)), workTree, own)) return;
  const folder = stateSubfolder(repository, "kept", runId, String(last + 1));
  for (const path of own) {
    let level = folder;
    for (const segment of dirname(path).split("/")) if (segment !== ".") ensureFolder((level = join(level, segment)));
    copy(join(workTree, path), join(folder, path));
    syncFolder(level);
  }
  syncFolder(folder);
}

interface PinnedFolder {
  readonly folder: string;
  readonly runId: string;
  readonly files: number;
  /** Seconds since 1970. */
  readonly at: number;
}

export function listPinnedFolders(stateDir: string): PinnedFolder[] {
  const base = join(stateDir, "kept");
  if (!lstatSync(base, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(base).flatMap((runId) =>
    readdirSync(join(base, runId)).map((number) => {
      const folder = join(base, runId, number);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true });
      const count = files.filter((entry) => !entry.isDirectory()).length;
      return { folder, runId, files: count, at: Math.floor(statSync(folder).mtimeMs / 1_000) };
    }),
  );
}

export function dropPinnedFolder(stateDir: string, { folder }: Pick<PinnedFolder, "folder">): void {
  if (dirname(dirname(folder)) === join(stateDir, "kept")) rmSync(folder, { recursive: true });
}
