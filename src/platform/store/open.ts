// Opens a store folder: makes it for a writer, refuses a file that it does not know, gives the three parts.
import { closeSync, lstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { FailureError, fail, type Clock, type Store } from "../../core/contract/index.ts";
import { makeFolder, syncFolder } from "../system/index.ts";
import { artifactNames, sweepTemporaries } from "./artifact-files.ts";
import { createArtifacts } from "./artifacts.ts";
import { connect, type Database, asPorts, type ImmediateStore } from "./database.ts";
import { connectToRead } from "./connect-to-read.ts";
import { asFailure, corrupt, unreadable } from "./failures.ts";
import { createLeases } from "./leases.ts";
import { createLog } from "./log.ts";
import { schemaVersion } from "./schema.ts";
import { createVerify } from "./verify.ts";
import { damagedWal } from "./wal-check.ts";

interface StoreOptions {
  readonly clock: Clock;
  /** `read` creates and changes nothing, and a folder without a store reads as an empty one. */
  readonly mode?: "write" | "read";
  readonly busyTimeoutMs?: number;
  readonly maxArtifactBytes?: number;
  /** For `verify`: describes the part of an event that this program does not know; undefined when it knows all of it. */
  readonly unknownIn?: (event: unknown) => string | undefined;
}

export function openStore<E = unknown>(folder: string, options: StoreOptions): Store<E> {
  return asPorts(openParts<E>(folder, options));
}

export function openParts<E = unknown>(folder: string, options: StoreOptions): ImmediateStore<E> {
  // Absolute, so that no folder name can be read as a database address.
  const dir = resolve(folder);
  const { clock, mode = "write", busyTimeoutMs = 10_000, maxArtifactBytes = 268_435_456 } = options;
  const root = join(dir, "artifacts");
  const file = join(dir, "store.db");
  try {
    for (const path of [dir, file, `${file}-wal`, `${file}-shm`, `${file}-journal`, root]) refuseLink(path);
    if (mode === "write") {
      prepareFolder(dir, file, root, clock);
      refuseDamagedWal(file);
    }
  } catch (error) {
    const failure = asFailure(error, dir);
    throw failure && !(error instanceof FailureError) ? new FailureError(failure, { cause: error }) : error;
  }
  const database = mode === "write" ? connect({ file, mode, busyTimeoutMs }) : openToRead(file, busyTimeoutMs);
  const writable = mode === "write";
  const artifacts = createArtifacts({ root, database, maxBytes: maxArtifactBytes, writable });
  const log: ImmediateStore<E>["log"] = {
    ...createLog<E>(database),
    verify: createVerify(database, root, options.unknownIn),
  };
  return {
    log,
    artifacts,
    leases: createLeases(database, clock),
    close: () => database.close(),
  };
}

function openToRead(file: string, busyTimeoutMs: number): Database {
  if (!lstatSync(file, { throwIfNoEntry: false })) return empty(busyTimeoutMs);
  const database = connectToRead({ file, busyTimeoutMs });
  if (database.version === schemaVersion) return database;
  database.close();
  if (database.version === 0) {
    refuseDamagedWal(file);
    refuseEmptied(file);
    return empty(busyTimeoutMs);
  }
  // An older file is brought up to date once; that needs a writer.
  connect({ file, mode: "write", busyTimeoutMs }).close();
  return connectToRead({ file, busyTimeoutMs });
}

function empty(busyTimeoutMs: number): Database {
  return connect({ file: ":memory:", mode: "write", busyTimeoutMs });
}

/** Private from the first byte: SQLite gives its side files the mode of the main file. */
function prepareFolder(dir: string, file: string, root: string, clock: Clock): void {
  makeFolders(dir);
  if (!lstatSync(file, { throwIfNoEntry: false })) {
    closeSync(openSync(file, "a", 0o600));
    syncFolder(dir);
  } else refuseEmptied(file);
  makeFolder(root);
  makeFolder(join(root, "tmp"));
  sweepTemporaries(root, clock);
}

/**
 * Artifacts are only ever written beside a database that has its tables, so one without a whole page was cut off.
 * When artifacts exist the size is read again: another process may be making this store right now.
 */
function refuseEmptied(file: string): void {
  const isCut = () => lstatSync(file).size < 4_096;
  if (!isCut() || artifactNames(join(dirname(file), "artifacts")).next().done) return;
  if (isCut()) throw new FailureError(unreadable(file, "it was cut off, and there are artifacts of its runs"));
}

/** A writer would overwrite frames that can still be recovered manually. */
function refuseDamagedWal(file: string): void {
  const damage = damagedWal(file);
  if (damage !== undefined) throw new FailureError(corrupt(file, damage));
}

/** Level by level, each one on the disk before the next; Node's own recursion also hides why a level failed. */
function makeFolders(dir: string): void {
  if (lstatSync(dir, { throwIfNoEntry: false })) return;
  makeFolders(dirname(dir));
  makeFolder(dir);
}

/** A link planted in a repository would make us write somewhere else under the user's name. */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  fail("unsafe_repository", `${path} is a symbolic link; the store is kept in real files and folders only.`, {
    remedy: "Remove the link, or move the folder it points to into its place.",
  });
}
