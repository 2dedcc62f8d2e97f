// The files that the patterns of a request select, in a stable order, and why others are left out.
import { realpathSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { fail, isGlob } from "../../../core/contract/index.ts";
import { findSecrets } from "../../../core/secrets/index.ts";
import { isGitName, isReservedName, isSecretPath, isStateName } from "../../../platform/paths/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import type { Excluded, ExclusionReason, Wanted } from "../shapes.ts";
import { listFiles, type Listing } from "./list.ts";
import { compilePattern, readPatterns, type WantedPattern } from "./patterns.ts";

/** Control characters, line ends of any kind, and marks that turn the direction of text. */
const unprintable = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;
const longestPath = 1024;

export function judgeName(path: string): ExclusionReason | undefined {
  const segments = path.split("/");
  if (!path.isWellFormed()) return "path_not_utf8";
  if (segments.some(isGitName)) return "git_dir";
  if (segments.some(isStateName)) return "protected_state";
  if (unprintable.test(path)) return "control_char_path";
  if (path.includes("\\")) return "path_backslash";
  if (/^[A-Za-z]:/.test(path)) return "path_drive";
  if (segments.some(isReservedName)) return "path_reserved";
  if (Buffer.byteLength(path) > longestPath) return "path_too_long";
  return isSecretPath(path) || findSecrets(path).length > 0 ? "secret_path" : undefined;
}

/** Returns a test for paths in order: true when an earlier path is the same without case and Unicode form. */
function createCollisionJudge(): (path: string) => boolean {
  const files = new Set<string>();
  const folders = new Map<string, string>();
  const fold = (path: string) => path.normalize("NFC").toLowerCase();
  return (path) => {
    const key = fold(path);
    const parents = path
      .split("/")
      .slice(0, -1)
      .map((_, index, names) => names.slice(0, index + 1).join("/"));
    const taken =
      files.has(key) ||
      folders.has(key) ||
      parents.some((folder) => files.has(fold(folder)) || (folders.get(fold(folder)) ?? folder) !== folder);
    if (taken) return true;
    files.add(key);
    for (const folder of parents) folders.set(fold(folder), folder);
    return false;
  };
}

interface Selection {
  /** Sorted by path. */
  readonly paths: readonly string[];
  readonly excluded: readonly Excluded[];
  readonly glob?: true;
}

interface Selected extends Selection {
  readonly wanted: readonly Wanted[];
}

export async function selectFiles(root: string, given: readonly string[], signal?: AbortSignal): Promise<Selected> {
  const patterns = readPatterns(root, given);
  const listing = await listFiles(root, signal);
  const listed = new Set(listing.paths);
  const excluded = new Map<string, Excluded>();
  const exclude = (one: Excluded) => excluded.set(one.path, one);
  const chosen = new Set<string>();
  const wanted: Wanted[] = [];
  for (const pattern of patterns.wanted) {
    const found = match(root, pattern, listing, listed);
    for (const path of found.paths) chosen.add(path);
    for (const one of found.excluded) exclude(one);
    const [held] = found.excluded;
    wanted.push({
      given: pattern.given,
      glob: found.glob === true,
      paths: found.paths,
      ...(held ? { held: held.reason } : {}),
    });
  }
  const named = [...chosen].sort(byCodeUnits).filter((path) => {
    const reason = patterns.leavesOut(path)
      ? ("excluded_by_pattern" as const)
      : path.endsWith("/")
        ? ("nested_repository" as const)
        : judgeName(path);
    if (reason) exclude({ path, reason });
    return !reason;
  });
  const colliding = collisionsIn(root, named);
  for (const path of colliding) exclude({ path, reason: "casefold_collision" });
  const paths = colliding.size === 0 ? named : named.filter((path) => !colliding.has(path));
  return {
    paths,
    excluded: [...excluded.values()].sort((a, b) => byCodeUnits(a.path, b.path)),
    wanted,
  };
}

/** A link is never sent, so it does not collide. Links are detected only when names collide. */
function collisionsIn(root: string, paths: readonly string[]): ReadonlySet<string> {
  const collides = createCollisionJudge();
  if (!paths.some((path) => collides(path))) return new Set();
  const again = createCollisionJudge();
  const isLink = (path: string) => entryAt(join(root, path))?.isSymbolicLink() === true;
  return new Set(paths.filter((path) => !isLink(path) && again(path)));
}

/** The same order on every machine, whatever its locale. */
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function match(root: string, { given, path }: WantedPattern, listing: Listing, listed: ReadonlySet<string>): Selection {
  if (path === undefined) return { paths: [], excluded: [{ path: given, reason: "outside_root" }] };
  if (path === "") return listing;
  if (path.includes("\0")) return { paths: [], excluded: [{ path: given, reason: "control_char_path" }] };
  const inside = `${path}/`;
  const at = entryAt(join(root, path));
  if (at?.isDirectory()) {
    if (path.split("/").some((name) => isGitName(name) || isStateName(name))) return { paths: [path], excluded: [] };
    const paths = listing.paths.filter((file) => file.startsWith(inside));
    const excluded = listing.excluded.filter((one) => one.path.startsWith(inside) || inside.startsWith(one.path));
    return { paths, excluded };
  }
  const target = at?.isSymbolicLink() === true ? linkTarget(root, path) : undefined;
  // The link itself is never packed; what it leads to is sent under its own name.
  if (target !== undefined) {
    const found = match(root, { given, path: target }, listing, listed);
    return { ...found, excluded: [...found.excluded, { path, reason: "symlink" }] };
  }
  // A file that is named is sent, also an ignored one: the person knows it. Opening it gives the reason against it.
  if (at) return { paths: [path], excluded: [] };
  if (!isGlob(path)) {
    if (listed.has(path)) return { paths: [], excluded: [{ path, reason: "not_found" }] };
    return fail("not_found", `There is no file or folder ${JSON.stringify(given)} below ${basename(root) || root}.`, {
      remedy: "Check the spelling; patterns are taken from the folder the command runs in.",
      details: { pattern: given },
    });
  }
  const matches = compilePattern(path);
  const paths = listing.paths.filter(matches);
  const excluded = listing.excluded.filter((one) => matches(one.path));
  const nothing = paths.length === 0 && excluded.length === 0;
  return nothing ? { paths, excluded: [{ path: given, reason: "not_found" }] } : { paths, excluded, glob: true };
}

/** Where a link that was named leads, below the root. Undefined when it leads out or nowhere: opening it gives the reason. */
function linkTarget(root: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(root, path));
    return real.startsWith(root + sep) ? relative(root, real).split(sep).join("/") : undefined;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === "string") return undefined;
    throw error;
  }
}
