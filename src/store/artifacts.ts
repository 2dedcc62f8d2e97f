// Artifacts: files named by the hash of their bytes, durable before any event can name them, checked when read.
import { closeSync, constants, fstatSync, openSync, readSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import process from "node:process";
import { FailureError, fail, type Artifacts, type Clock } from "../contract/index.ts";
import type { Database } from "./database.ts";
import { ensureFolder, syncFolder, systemCode, writeWhole } from "../system/index.ts";
import { corrupt } from "./failures.ts";
import { sha256, startSha256 } from "./hashing.ts";
import { checkRef } from "./names.ts";

export interface ArtifactOptions {
  readonly root: string;
  readonly database: Database;
  readonly maxBytes: number;
  readonly writable: boolean;
}

export interface StoredArtifacts extends Artifacts {
  /** Makes the names of all that was put durable. The log does it before it writes an event, which may name them. */
  settle(): void;
}

export function createArtifacts(options: ArtifactOptions): StoredArtifacts {
  const { root, database, maxBytes } = options;
  const there = new Set<string>();
  const unsynced = new Set<string>();
  const checked = new Map<string, string>();
  let shards: Set<string> | undefined;
  let count = 0;

  /** What is there may not have been synced by whoever made it, and our event must not outlive it. */
  const listShards = (): Set<string> => {
    unsynced.add(root);
    return new Set(readdirSync(root));
  };

  const store = (name: string, temporary: string, bytes: Uint8Array): void => {
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
    if (!isThere(root, name, bytes.length)) writeWhole(pathOf(root, name), temporary, bytes);
  };

  const put: Artifacts["put"] = (data, about) => {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    if (bytes.length > maxBytes) tooBig(bytes.length, maxBytes);
    if (!options.writable) fail("permission_denied", `The store at ${root} was opened to read.`);
    const name = sha256(bytes);
    if (!there.has(name)) {
      const temporary = `${root}${sep}tmp${sep}${name}.${process.pid}.${count++}`;
      database.guard(() => store(name, temporary, bytes));
      there.add(name);
    }
    return { ref: `sha256:${name}`, bytes: bytes.length, ...about };
  };

  const slice: Artifacts["slice"] = (ref, offset, length) => {
    const name = checkRef(ref);
    checkRange(offset, length);
    return database.guard(() =>
      withFile(root, name, (descriptor) => {
        const { size, mtimeMs, ino } = fstatSync(descriptor);
        const stamp = `${ino} ${size} ${mtimeMs}`;
        // Hashing the whole file for every page of it would make reading quadratic.
        if (checked.get(name) !== stamp) {
          if (hashOf(descriptor) !== name) altered(root, name);
          checked.set(name, stamp);
        }
        const start = Math.min(offset, size);
        return { bytes: readExactly(descriptor, start, Math.min(length, size - start)), total: size };
      }),
    );
  };

  return {
    put,
    slice,
    settle: () => {
      if (unsynced.size === 0) return;
      database.guard(() => unsynced.forEach(syncFolder));
      unsynced.clear();
    },
    has: (ref) => fileSize(pathOf(root, checkRef(ref))) !== undefined,
    read: (ref) => {
      const name = checkRef(ref);
      return database.guard(() =>
        withFile(root, name, (descriptor) => {
          const { size } = fstatSync(descriptor);
          if (size > maxBytes) tooBig(size, maxBytes);
          const bytes = readExactly(descriptor, 0, size);
          return sha256(bytes) === name ? bytes : altered(root, name);
        }),
      );
    },
  };
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

export interface ArtifactFile {
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
    if (fileSize(pathOf(root, name)) !== undefined)
      yield { name, sound: withFile(root, name, hashOf) === name };
}

function namesIn(folder: string, pattern: RegExp): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

function shardOf(root: string, name: string): string {
  return root + sep + name.slice(0, 2);
}

function pathOf(root: string, name: string): string {
  return shardOf(root, name) + sep + name.slice(2);
}

function isThere(root: string, name: string, size: number): boolean {
  return fileSize(pathOf(root, name)) === size && withFile(root, name, hashOf) === name;
}

function fileSize(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

function withFile<T>(root: string, name: string, use: (descriptor: number) => T): T {
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

function hashOf(descriptor: number): string {
  const hash = startSha256();
  const chunk = Buffer.allocUnsafe(1 << 16);
  for (let position = 0; ;) {
    const got = readSync(descriptor, chunk, 0, chunk.length, position);
    if (got === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, got));
    position += got;
  }
}

function readExactly(descriptor: number, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const got = readSync(descriptor, bytes, done, length - done, start + done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}

function checkRange(offset: number, length: number): void {
  for (const value of [offset, length])
    if (!Number.isSafeInteger(value) || value < 0)
      fail("invalid_input", `A range is given in whole numbers that are not negative, not ${value}.`);
}

function tooBig(size: number, maxBytes: number): never {
  return fail("invalid_input", `An artifact may hold ${maxBytes} bytes; this one has ${size}.`, {
    remedy: "Store a shorter excerpt, or read it in slices.",
  });
}

function altered(root: string, name: string): never {
  throw new FailureError(corrupt(root, `artifact sha256:${name} no longer matches its name`, { name }));
}
