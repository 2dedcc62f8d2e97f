// Opens a file below a root: the folder is held while the last step is taken, and the result is checked once more.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
  type Stats,
} from "node:fs";
import { join, sep } from "node:path";
import { diskFailure, fail } from "../../core/contract/index.ts";
import { locatePath, openableRoot, type Root } from "./judge.ts";
import { isGitName, isStateName } from "../system/index.ts";
import { codeOf, PathRefusal, realPath, walk, type FoundPath, type OpenFolder } from "./walk.ts";

/** `read` an existing regular file, `create` one that must not exist, `write` one in place, made when missing. */
type OpenMode = "read" | "create" | "write";

interface OpenOptions {
  /** Make missing folders on the way (writes only). */
  readonly parents?: boolean;
  /** For paths that were judged before: credential files may be touched. Containment is never relaxed. */
  readonly trusted?: boolean;
  /** Permission bits of a new file. */
  readonly mode?: number;
}

interface OpenedFile extends Disposable {
  readonly fd: number;
  readonly stats: Stats;
  /** Below the root, after links. */
  readonly path: string;
  close(): void;
}

const flagsOf: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  write: constants.O_WRONLY | constants.O_CREAT,
};

/** The folder and name of the target, with missing folders made when that was asked for. */
function reach(root: Root, path: string, mode: OpenMode, options: OpenOptions): FoundPath {
  const op = mode === "read" ? "read" : "write";
  const found = locatePath(root, path, op, options.trusted);
  if (op === "read") return found;
  found.parent.close();
  const makeFolder = options.parents === true ? { makeFolder: makeOne } : {};
  return walk(root.real, found.segments, { follow: false, ...makeFolder });
}

function makeOne(spelled: string): void {
  try {
    mkdirSync(spelled);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function insist(root: Root, fd: number, path: string): Stats {
  const place = realPath(fd, path);
  const prefix = root.real.endsWith(sep) ? root.real : root.real + sep;
  if (!place.startsWith(prefix)) throw new PathRefusal("symlink_escape");
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new PathRefusal("not_regular");
  return stats;
}

function openFound(root: Root, found: FoundPath, mode: OpenMode, options: OpenOptions): OpenedFile {
  if (found.name === "." || found.stats?.isDirectory()) throw new PathRefusal("not_regular");
  const flags = flagsOf[mode] | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  let fd: number;
  try {
    fd = openSync(found.parent.at(found.name), flags, options.mode ?? 0o666);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ELOOP") throw new PathRefusal("symlink_escape");
    if (code === "ENOENT") throw new PathRefusal("not_found");
    if (code === "ENXIO" || code === "EISDIR") throw new PathRefusal("not_regular");
    throw error;
  }
  try {
    const stats = insist(root, fd, join(found.parent.path, found.name));
    const close = () => closeSync(fd);
    return { fd, stats, path: found.segments.join("/"), close, [Symbol.dispose]: close };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PathRefusal)) return systemFailure(path, error);
    const code = error.reason === "not_found" ? "not_found" : "permission_denied";
    return fail(code, `${JSON.stringify(path)} cannot be opened here: ${error.reason}.`, {
      remedy: "Use a path of a plain file inside the repository; `thehood check path` explains the verdict.",
      details: { path, reason: error.reason },
    });
  }
}

/** A system error about a path is an answer for the caller, not a bug. */
function systemFailure(path: string, error: unknown): never {
  if (codeOf(error) === "EEXIST")
    return fail("conflict", `${JSON.stringify(path)} exists already.`, {
      remedy: "Choose another name.",
      details: { path, reason: "exists" },
    });
  throw diskFailure(error) ?? error;
}

/** The one way to open a path that came from outside. Fails with `permission_denied` or `not_found`. */
export function openUnder(root: string, path: string, mode: OpenMode, options: OpenOptions = {}): OpenedFile {
  return explained(path, () => {
    const base = openableRoot(root);
    const found = reach(base, path, mode, options);
    try {
      return openFound(base, found, mode, options);
    } finally {
      found.parent.close();
    }
  });
}

/** The bytes of a file below the root; more than `maxBytes` is a failure, never a silent cut. */
export function readUnder(
  root: string,
  path: string,
  options: OpenOptions & { readonly maxBytes?: number } = {},
): Buffer {
  using file = openUnder(root, path, "read", options);
  const limit = options.maxBytes ?? 64 << 20;
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(4096, Math.min(file.stats.size - total + 1, 1 << 20)));
    const read = readSync(file.fd, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks, total);
    total += read;
    if (total > limit) fail("invalid_input", `${path} is larger than ${limit} bytes.`);
    chunks.push(chunk.subarray(0, read));
  }
}

let counter = 0;

/** Replaces a file's bytes all at once: a reader sees the old ones or the new ones. */
export function writeUnder(root: string, path: string, bytes: Uint8Array, options: OpenOptions = {}): void {
  explained(path, () => {
    const base = openableRoot(root);
    const found = reach(base, path, "write", options);
    const scratch = `.${found.name.slice(0, 100)}.${process.pid}-${counter++}.tmp`;
    try {
      if (found.name === "." || found.stats?.isDirectory()) throw new PathRefusal("not_regular");
      const file = openFound(base, { ...found, name: scratch, stats: undefined }, "create", options);
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(file.fd, bytes, at);
        if (options.mode !== undefined) fchmodSync(file.fd, options.mode);
        else if (found.stats) fchmodSync(file.fd, found.stats.mode & 0o7777);
        fsyncSync(file.fd);
        renameSync(found.parent.at(scratch), found.parent.at(found.name));
      } catch (error) {
        ftruncateSync(file.fd, 0);
        unlinkSync(found.parent.at(scratch));
        throw error;
      } finally {
        file.close();
      }
      fsyncSync(found.parent.fd);
    } finally {
      found.parent.close();
    }
  });
}

/** Holds the folder of a path for the runtime's own renames there. No link is followed; the caller closes it. */
export function holdParent(
  root: string,
  path: string,
  options: { readonly make?: boolean } = {},
): { folder: OpenFolder; name: string; stats: Stats | undefined } {
  return explained(path, () => {
    const base = openableRoot(root);
    const segments = path.split("/");
    if (path.includes("\0") || segments.some((name) => name === "" || name === "." || name === ".."))
      throw new PathRefusal("path_traversal");
    if (segments.some(isGitName)) throw new PathRefusal("git_dir");
    if (segments.some(isStateName)) throw new PathRefusal("protected_state");
    const found = walk(base.real, segments, {
      follow: false,
      ...(options.make === true ? { makeFolder: makeOne } : {}),
      lastMayBeLink: true,
    });
    return { folder: found.parent, name: found.name, stats: found.stats };
  });
}

/** The bytes of what is a plain file right now, through a path that is already held; undefined for everything else. */
export function readPlain(spelled: string): { bytes: Buffer; stats: Stats } | undefined {
  let fd: number;
  try {
    fd = openSync(spelled, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENOTDIR", "ENXIO"].includes(codeOf(error))) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() ? { bytes: readFileSync(fd), stats } : undefined;
  } finally {
    closeSync(fd);
  }
}
