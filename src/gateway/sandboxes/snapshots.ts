// Snapshots as folders, one for each label: copied by copy-on-write where the file system can, links as links, without secrets.
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  existsSync,
} from "node:fs";
import { execFile } from "node:child_process";
import { cp, rename, rm, mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { sha256 } from "../../platform/store/index.ts";
import { identityOf, isAlive, syncFile, syncFolder, systemCode } from "../../platform/system/index.ts";
import type { Scrub } from "./port.ts";

/** `skip` gets the path relative to the folder. */
export async function copyFolder(from: string, to: string, skip: (path: string) => boolean): Promise<void> {
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => {
      const entry = lstatSync(path);
      const plain = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
      return plain && !skip(relative(from, path));
    },
  });
}

/** Larger files are not searched for secrets. */
const maxScanned = 256 * 1024 ** 2;
const shortestSecret = 6;

/** Overwrites each value in each file of a copy that only this process uses; returns the number of changed files. */
export function scrubTree(folder: string, values: readonly string[]): number {
  const needles = values.filter(({ length }) => length >= shortestSecret).map((value) => Buffer.from(value));
  if (needles.length === 0) return 0;
  let changed = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (lstatSync(path).size <= maxScanned && scrubFile(path, needles)) changed += 1;
  }
  return changed;
}

function scrubFile(path: string, needles: readonly Buffer[]): boolean {
  const bytes = readFileSync(path);
  let found = false;
  for (const needle of needles)
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
      bytes.fill("x", at, at + needle.length);
      found = true;
    }
  if (!found) return false;
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    writeFileSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** A snapshot gets its name when it is complete; the first one with a name stays. */
export async function publish(partial: string, whole: string, parent: string): Promise<void> {
  try {
    await rename(partial, whole);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    await discard(partial);
  }
  syncFolder(parent);
}

export const discard = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

export interface FolderSnapshots {
  path(label: string): string;
  has(label: string): Promise<"yes" | "no">;
  /** `files` of the scrub are relative to `from` here. */
  take(label: string, from: string, scrub: Scrub): Promise<{ readonly scrubbed: number }>;
  remove(label: string): Promise<void>;
  /** Removes unfinished copies of processes that are gone. */
  clean(): Promise<void>;
}

/** The agent's state: a session from a snapshot begins a new conversation. */
const agentState = [".local/share/opencode", ".local/state/opencode", ".cache/opencode", ".config/opencode"];

/** Copies a folder without the excluded paths. */
type Copy = (from: string, to: string, excluded: readonly string[]) => Promise<void>;

const plainCopy: Copy = (from, to, excluded) => copyFolder(from, to, (name) => excluded.includes(name));

const digest = (text: string): string => sha256(text).slice(0, 12);

/** The end of the name of an unfinished copy: a pid alone is that of another process after a restart of a container. */
function writerName(pid: number): string {
  const { startedAt, host } = identityOf(pid);
  return `${pid}.${digest(startedAt)}.${digest(host)}`;
}

/** After this time no writer of another machine or container counts as at work. */
const abandonedMs = 24 * 3_600_000;

/** Removes copies that a process began and did not finish: a whole home before its secrets were overwritten. */
async function removePartial(root: string): Promise<void> {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    const [, writer] = /\.partial\.(.+)$/.exec(name) ?? [];
    if (writer === undefined || isWriting(writer)) continue;
    const old = Date.now() - (lstatSync(join(root, name), { throwIfNoEntry: false })?.ctimeMs ?? 0) > abandonedMs;
    if (old || isOfThisHost(writer)) await discard(join(root, name));
  }
}

function isWriting(writer: string): boolean {
  const pid = Number(writer.split(".")[0]);
  return writer === writerName(pid) && isAlive(identityOf(pid)) !== false;
}

/** A name that ends with a pid alone says nothing of its host; a pid that runs nowhere here wrote it. */
function isOfThisHost(writer: string): boolean {
  const [pid, , host] = writer.split(".");
  return host === undefined
    ? isAlive(identityOf(Number(pid))) === false
    : host === writerName(process.pid).split(".")[2];
}

/** Every file of a folder is on the disk when it resolves. `sync -f` flushes the file system at once where there is one. */
async function syncTree(folder: string): Promise<void> {
  const flushed = await new Promise<boolean>((resolve) => {
    execFile("sync", ["-f", folder], (error) => resolve(error === null));
  });
  if (flushed) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) syncFile(join(entry.parentPath, entry.name));
  syncFolder(folder);
}

export function folderSnapshots(root: string, copy: Copy = plainCopy): FolderSnapshots {
  const path = (label: string) => join(root, label);
  return {
    clean: () => removePartial(root),
    path,
    has: async (label) => (existsSync(path(label)) ? "yes" : "no"),
    async take(label, from, { files, values }) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      // One name for each process: a frozen process that was replaced may still write its own copy.
      const partial = `${path(label)}.partial.${writerName(process.pid)}`;
      await discard(partial);
      try {
        await copy(from, partial, [...files, ...agentState]);
        const scrubbed = scrubTree(partial, values);
        await syncTree(partial);
        await publish(partial, path(label), root);
        return { scrubbed };
      } catch (error) {
        // A full disk gets its space back, and no secret stays in a copy that has no name.
        await discard(partial);
        throw error;
      }
    },
    remove: (label) => discard(path(label)),
  };
}
