// Decides what a confined program sees: a list of mounts, parents before children, so that a deeper rule wins.
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { HiddenSecrets, ProgramPath, ShownFolder } from "../../core/contract/index.ts";
import { findGitFolders, nestedGitEntries } from "./git-folders.ts";
import { hiddenFiles, hiddenFolders, hiddenInHome, toolsInHome, under } from "./hidden-paths.ts";
import { secretPaths } from "./secret-paths.ts";

/** `shut` also keeps what is absent from coming into being. */
type MountKind = "empty" | "scratch" | "read" | "write" | "shut" | "hide";

export interface Mount {
  readonly path: string;
  readonly kind: MountKind;
  /** The real path, when `path` is a link. */
  readonly from?: string;
}

interface MountInput {
  readonly cwd: string;
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
  readonly own: readonly ProgramPath[];
  readonly home: string;
  readonly path: string;
  readonly network: boolean;
  readonly shown?: ShownFolder | undefined;
  readonly secrets?: HiddenSecrets | undefined;
}

export interface MountPlan {
  readonly mounts: readonly Mount[];
  /** Empty folders made to carry a mount, to be removed afterwards. */
  readonly made: readonly string[];
}

/** For the same path the stricter word counts, except that what the request names beats what is hidden by habit. */
const rank: Record<MountKind, number> = { empty: 0, scratch: 1, read: 2, write: 3, shut: 4, hide: 5 };

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder === sep ? sep : folder + sep);

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const reals = (paths: readonly string[]) => paths.map(real).filter((path): path is string => path !== undefined);

/** The home that holds a path: the user's own, or another one that is hidden too. */
const homeAround = (path: string, home: string): string | undefined =>
  isWithin(home, path) ? home : /^\/(?:root|(?:home|Users)\/[^/]+)(?=\/)/.exec(path)?.[0];

/** The folder to give back so that a program found by PATH below a home also finds its libraries: a shim starts a program
 * of its manager, in the folder above. */
function toolRoots(path: string, home: string): string[] {
  return reals(path.split(":").filter((entry) => entry.startsWith("/"))).map((entry) => {
    const [parent, around] = [dirname(entry), homeAround(entry, home)];
    const kept =
      around === undefined ? [] : [around, ...under(around, [".local", ".cargo", ".config", ".bun", ".deno"])];
    return around === undefined || kept.includes(parent) ? entry : parent;
  });
}

function gitMounts(
  input: { cwd: string; writable: readonly string[] },
  home: string,
): { mounts: Mount[]; made: string[] } {
  const mounts: Mount[] = [];
  const made: string[] = [];
  const places = [input.cwd, ...input.writable].map(findGitFolders);
  for (const top of places.flatMap((place) => place.tops))
    // A repository around the whole home must not bring the home back.
    if (!isWithin(top, home) && !hiddenFolders.includes(top)) mounts.push({ path: top, kind: "read" });
  for (const folder of places.flatMap((place) => place.folders)) mounts.push({ path: folder, kind: "shut" });
  for (const folder of input.writable) {
    const own = join(folder, ".git");
    if (lstatSync(own, { throwIfNoEntry: false }) === undefined && statSync(folder).isDirectory()) {
      mkdirSync(own, { mode: 0o700 });
      made.push(own);
    }
    for (const entry of nestedGitEntries(folder)) {
      mounts.push({ path: entry, kind: "shut" });
      // A folder above a shut entry could be renamed away and rebuilt, unless it carries a mount of its own.
      for (let at = dirname(entry); at !== folder && isWithin(folder, at); at = dirname(at))
        mounts.push({ path: at, kind: "write" });
    }
  }
  return { mounts, made };
}

/** Gives a reason instead when a `.git` entry cannot be shut. */
function unshuttable(mounts: readonly Mount[]): string | undefined {
  const link = mounts.find(({ path, kind }) => kind === "shut" && lstatSync(path).isSymbolicLink());
  return link && `${link.path} is a symbolic link, which cannot be kept read-only in a writable folder`;
}

const kindOf = { read: "read", write: "write", private: "scratch" } as const;

/** A link is bound by its own name, because an empty folder replaces the home that holds it. */
function ownMounts(own: readonly ProgramPath[], given: string, home: string): Mount[] {
  return own.flatMap(({ path, access, from: instead }) => {
    const from = real(instead ?? path);
    if (from === undefined) return [];
    const named = isWithin(given, path) ? join(home, relative(given, path)) : undefined;
    return [{ path: named ?? join(real(dirname(path)) ?? "/", basename(path)), from, kind: kindOf[access] }];
  });
}

export function planMounts(input: MountInput): MountPlan | { refused: string } {
  const home = real(input.home) ?? input.home;
  const git = gitMounts(input, home);
  const bad = unshuttable(git.mounts);
  if (bad !== undefined) return { refused: bad };
  const own = ownMounts(input.own, input.home, home);
  const secrets = input.secrets
    ? secretPaths([input.cwd, ...input.writable], input.secrets)
    : { hidden: [], replaced: [] };
  const isOwn = (path: string) => own.some((mount) => mount.path === path);
  const all: Mount[] = [
    ...reals(["/tmp", "/var/tmp", home]).map((path) => ({ path, kind: "scratch" as const })),
    ...reals(hiddenFolders).map((path) => ({ path, kind: "empty" as const })),
    ...reals([...toolsFor(home), ...toolRoots(input.path, home)]).map((path) => ({
      path,
      kind: "read" as const,
    })),
    ...reals([input.cwd, ...input.readable]).map((path) => ({ path, kind: "read" as const })),
    ...reals(input.writable).map((path) => ({ path, kind: "write" as const })),
    ...git.mounts,
    ...own,
    ...reals([
      ...[...hiddenFiles, ...under(home, hiddenInHome)].filter((path) => !isOwn(path)),
      ...input.hidden,
      ...secrets.hidden,
    ]).map((path) => ({ path, kind: "hide" as const })),
  ];
  all.push(...secrets.replaced.map((one) => ({ ...one, kind: "shut" as const })));
  if (input.network) all.push(...reals(["/etc/resolv.conf"]).map((path) => ({ path, kind: "read" as const })));
  const placed = input.shown ? showElsewhere(all, input.shown) : all;
  return { mounts: settle(placed.filter(({ path }) => path !== "/")), made: git.made };
}

/** A path by the place where the program sees it. */
export const seenAt = (shown: ShownFolder | undefined, path: string): string =>
  shown && isWithin(shown.folder, path) ? join(shown.at, relative(shown.folder, path)) : path;

/** `shut`, because a lent path may be below another one that is read-only already. */
const showElsewhere = (all: readonly Mount[], shown: ShownFolder): Mount[] => [
  ...all.map((mount) => {
    const path = seenAt(shown, mount.path);
    return path === mount.path ? mount : { ...mount, path, from: mount.from ?? mount.path };
  }),
  ...shown.lent.map(({ path, from }) => ({ path: join(shown.at, path), from, kind: "shut" as const })),
];

const toolsFor = (home: string) => under(home, toolsInHome);

const isBlank = (kind: MountKind) => kind === "empty" || kind === "hide" || kind === "scratch";

/** One mount a path, parents first; a mount that would change nothing is left out. */
function settle(all: readonly Mount[]): Mount[] {
  const strictest = new Map<string, Mount>();
  for (const mount of all) {
    const there = mount.from ?? mount.path;
    if (!existsSync(there) && lstatSync(there, { throwIfNoEntry: false }) === undefined) continue;
    const known = strictest.get(mount.path);
    if (!known || rank[mount.kind] > rank[known.kind]) strictest.set(mount.path, mount);
  }
  const depth = (path: string) => relative("/", path).split(sep).length;
  const kept: Mount[] = [];
  for (const mount of [...strictest.values()].sort((a, b) => depth(a.path) - depth(b.path))) {
    const above = kept.findLast((other) => other.path !== mount.path && isWithin(other.path, mount.path));
    const visible = above === undefined || above.kind === "read" || above.kind === "shut";
    if (mount.kind === "read" && visible) continue;
    if ((mount.kind === "empty" || mount.kind === "hide") && above && isBlank(above.kind)) continue;
    kept.push(mount);
  }
  return kept;
}
