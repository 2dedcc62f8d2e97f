// The files of artifacts: a folder for each first byte of a name, and in it a file for each content.
import { closeSync, constants, openSync, readSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join, sep } from "node:path";
import process from "node:process";
import { fail, type Clock } from "../../core/contract/index.ts";
import { systemCode, ensureFolder, syncFolder, writeWhole } from "../system/index.ts";
import { startSha256 } from "./hashing.ts";

function shardOf(root: string, name: string): string {
  return root + sep + name.slice(0, 2);
}

export function pathOf(root: string, name: string): string {
  return shardOf(root, name) + sep + name.slice(2);
}

export function isThere(root: string, name: string, size: number): boolean {
  return fileSize(pathOf(root, name)) === size && withFile(root, name, hashOf) === name;
}

export function fileSize(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

export function withFile<T>(root: string, name: string, use: (descriptor: number) => T): T {
  let descriptor: number;
  try {
    descriptor = openSync(pathOf(root, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return fail("not_found", `There is no artifact sha256:${name} in this store.`, {
      remedy: "List what a run holds with `thehood show <run>`; `thehood log verify` finds missing files.",
    });
  }
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

let chunk: Buffer | undefined;

export function hashOf(descriptor: number): string {
  const hash = startSha256();
  chunk ??= Buffer.allocUnsafe(1 << 16);
  for (let position = 0; ;) {
    const got = readSync(descriptor, chunk, 0, chunk.length, position);
    if (got === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, got));
    position += got;
  }
}

export function readExactly(descriptor: number, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const got = readSync(descriptor, bytes, done, length - done, start + done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}

/** Left by a process that died while writing; a day is longer than any write takes. */
export function sweepTemporaries(root: string, clock: Clock): void {
  const folder = join(root, "tmp");
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && clock.now() - found.mtimeMs > 86_400_000) rmSync(path, { force: true });
  }
}

interface ArtifactFile {
  readonly name: string;
  readonly sound: boolean;
}

export function* artifactNames(root: string): Generator<string> {
  for (const folder of namesIn(root, /^[0-9a-f]{2}$/))
    for (const rest of namesIn(join(root, folder), /./)) yield folder + rest;
}

/** Every file among the artifacts with whether it still matches its name, for `verify`. */
export function* allArtifacts(root: string): Generator<ArtifactFile> {
  for (const name of artifactNames(root)) {
    const sound = /^[0-9a-f]{64}$/.test(name) && withFile(root, name, hashOf) === name;
    yield { name, sound };
  }
}

/** The same of these names only; the ones that are missing do not come. */
export function* namedArtifacts(root: string, names: Iterable<string>): Generator<ArtifactFile> {
  for (const name of names)
    if (fileSize(pathOf(root, name)) !== undefined) yield { name, sound: withFile(root, name, hashOf) === name };
}

function namesIn(folder: string, pattern: RegExp): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

interface ArtifactWriter {
  put(name: string, bytes: Uint8Array): void;
  /** Makes the names of all artifacts that were put durable. */
  settle(): void;
}

/** Marks the file as used just now. False when there is none. */
function touched(path: string): boolean {
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  }
}

/** One count for all stores of the process: writes of two of them can be under way at once. */
let count = 0;

export function createArtifactWriter(root: string): ArtifactWriter {
  const there = new Set<string>();
  const unsynced = new Set<string>();
  let shards: Set<string> | undefined;

  /** A folder that another process made may not be synced yet, and our event must not outlive it. */
  const listShards = (): Set<string> => {
    unsynced.add(root);
    return new Set(readdirSync(root));
  };

  return {
    put(name, bytes) {
      // A removal of unnamed artifacts may have taken it since.
      if (there.has(name) && touched(pathOf(root, name))) return;
      const shard = name.slice(0, 2);
      const folder = shardOf(root, name);
      shards ??= listShards();
      if (!shards.has(shard)) {
        ensureFolder(folder);
        unsynced.add(root);
        shards.add(shard);
      }
      // Also for a file that is there already: another process may have put it just now.
      unsynced.add(folder);
      const temporary = `${root}${sep}tmp${sep}${name}.${process.pid}.${count++}`;
      // A new time marks the file as used: a removal of old runs leaves it alone.
      if (!isThere(root, name, bytes.length) || !touched(pathOf(root, name)))
        writeWhole(pathOf(root, name), temporary, bytes);
      there.add(name);
    },
    settle() {
      unsynced.forEach(syncFolder);
      unsynced.clear();
    },
  };
}
