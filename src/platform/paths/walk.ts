// Walks below a root one segment at a time, holding each folder open, so that no link and no race leads out.
// Linux: every step opens /proc/self/fd/N/<segment> with O_NOFOLLOW. Elsewhere: the same steps by path, verified after.
import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { entryAt } from "../system/index.ts";
import type { PathReason } from "./lexical.ts";

/** Switched off in tests only, to take the way of other systems. */
export const holding = { byDescriptor: process.platform === "linux" && existsSync("/proc/self/fd") };
const maxLinks = 40;

export class PathRefusal extends Error {
  readonly reason: PathReason;
  constructor(reason: PathReason) {
    super(`refused: ${reason}`);
    this.name = "PathRefusal";
    this.reason = reason;
  }
}

/** A folder held open. `at(name)` is a path to an entry of exactly this folder, wherever it has been moved to. */
export class OpenFolder {
  readonly fd: number;
  readonly path: string;
  constructor(fd: number, path: string) {
    this.fd = fd;
    this.path = path;
  }
  at(name: string): string {
    return holding.byDescriptor ? `/proc/self/fd/${this.fd}/${name}` : join(this.path, name);
  }
  close(): void {
    closeSync(this.fd);
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

function openFolder(spelled: string, path: string): OpenFolder {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const folder = new OpenFolder(openSync(spelled, flags), path);
  if (holding.byDescriptor) return folder;
  const held = fstatSync(folder.fd);
  const now = entryAt(path);
  if (now?.ino !== held.ino || now.dev !== held.dev) {
    folder.close();
    throw new PathRefusal("symlink_escape");
  }
  return folder;
}

function openRoot(realRoot: string): OpenFolder {
  return openFolder(realRoot, realRoot);
}

export interface FoundPath {
  /** The folder that holds the last segment. The caller closes it. */
  readonly parent: OpenFolder;
  readonly name: string;
  /** Undefined when there is nothing of that name yet. */
  readonly stats: Stats | undefined;
  /** Segments below the root after all links. */
  readonly segments: readonly string[];
}

interface WalkOptions {
  /** Follow links that stay inside (reads), or refuse every link (writes). */
  readonly follow: boolean;
  /** Called for a folder that is missing; returns true once it has made it. */
  readonly makeFolder?: (spelled: string) => void;
  /** The last segment may itself be a link: it is named, not followed. */
  readonly lastMayBeLink?: boolean;
}

/** The stack of open folders from the root down; the root itself never leaves it. */
class Trail {
  readonly folders: OpenFolder[];
  readonly names: string[] = [];
  constructor(root: OpenFolder) {
    this.folders = [root];
  }
  get top(): OpenFolder {
    const folder = this.folders.at(-1);
    if (!folder) throw new Error("the trail lost its root");
    return folder;
  }
  up(): boolean {
    if (this.folders.length === 1) return false;
    this.folders.pop()?.close();
    this.names.pop();
    return true;
  }
  home(): void {
    while (this.up());
  }
  closeAll(): void {
    for (const folder of this.folders) folder.close();
  }
}

const linkCodes = new Set(["ELOOP", "ENOTDIR", "EMLINK", "EINVAL"]);

function readLink(spelled: string): string {
  try {
    return readlinkSync(spelled);
  } catch (error) {
    // It was a link a moment ago: a program that swaps it gets a refusal, not a second look.
    if (["ENOENT", "EINVAL", "ENOTDIR"].includes(codeOf(error))) throw new PathRefusal("not_found");
    throw error;
  }
}

/** The segments that a link leads to: from the root when absolute and inside, from here when relative. */
function linkSegments(trail: Trail, realRoot: string, name: string): string[] {
  const target = readLink(trail.top.at(name));
  if (!isAbsolute(target)) return target.split("/");
  const prefix = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  if (`${target}/` !== prefix && !target.startsWith(prefix)) throw new PathRefusal("symlink_escape");
  trail.home();
  return target.slice(prefix.length).split("/");
}

/** True when following the link from here, and whatever links come after it, ends outside the root or nowhere. */
function leadsOut(trail: Trail, realRoot: string, name: string): boolean {
  const probe = { links: 0 };
  try {
    const found = follow(copyTrail(trail), realRoot, [name], { follow: true }, probe);
    found.parent.close();
    return false;
  } catch (error) {
    if (error instanceof PathRefusal) return error.reason === "symlink_escape";
    throw error;
  }
}

function copyTrail(trail: Trail): Trail {
  const [root, ...rest] = trail.folders;
  if (!root) throw new Error("the trail lost its root");
  const copy = new Trail(openFolder(root.at("."), root.path));
  for (const [index, folder] of rest.entries()) {
    copy.folders.push(openFolder(folder.at("."), folder.path));
    copy.names.push(trail.names[index] ?? "");
  }
  return copy;
}

function enter(trail: Trail, name: string, options: WalkOptions): "entered" | "link" {
  const spelled = trail.top.at(name);
  const path = join(trail.top.path, name);
  for (let tries = 0; ; tries++) {
    try {
      trail.folders.push(openFolder(spelled, path));
      trail.names.push(name);
      return "entered";
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" && options.makeFolder && tries === 0) options.makeFolder(spelled);
      else if (code === "ENOENT") throw new PathRefusal("not_found");
      else if (code === "ENAMETOOLONG") throw new PathRefusal("path_too_long");
      else if (!linkCodes.has(code)) throw error;
      else if (entryAt(spelled)?.isSymbolicLink()) return "link";
      else throw new PathRefusal("not_a_directory");
    }
  }
}

function follow(
  trail: Trail,
  realRoot: string,
  wanted: readonly string[],
  options: WalkOptions,
  count: { links: number },
): FoundPath {
  const todo = [...wanted];
  try {
    for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
      if (name === "" || name === ".") continue;
      if (name === "..") {
        if (!trail.up()) throw new PathRefusal("symlink_escape");
        continue;
      }
      const last = todo.every((segment) => segment === "" || segment === ".");
      const stats = last ? entryAt(trail.top.at(name)) : undefined;
      if (last && (options.lastMayBeLink === true || !stats?.isSymbolicLink())) return finish(trail, name, stats);
      if (!last && enter(trail, name, options) === "entered") continue;
      if (!options.follow)
        throw new PathRefusal(leadsOut(trail, realRoot, name) ? "symlink_escape" : "symlink_write_through");
      if (++count.links > maxLinks) throw new PathRefusal("symlink_loop");
      todo.unshift(...linkSegments(trail, realRoot, name));
    }
    return finish(trail, ".", fstatSync(trail.top.fd));
  } catch (error) {
    trail.closeAll();
    throw error;
  }
}

function finish(trail: Trail, name: string, stats: Stats | undefined): FoundPath {
  const parent = trail.folders.pop();
  if (!parent) throw new Error("the trail lost its root");
  trail.closeAll();
  return { parent, name, stats, segments: name === "." ? [...trail.names] : [...trail.names, name] };
}

/** Where the segments lead below the root. Throws PathRefusal for everything that leads elsewhere. */
export function walk(realRoot: string, segments: readonly string[], options: WalkOptions): FoundPath {
  return follow(new Trail(openRoot(realRoot)), realRoot, segments, options, { links: 0 });
}

/** The real path of an open file: on Linux from the kernel, elsewhere by its path. */
export function realPath(fd: number, path: string): string {
  return holding.byDescriptor ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync(path);
}
