// Lists the work that refs of ours keep, with what is known of each: by its commit, which is there as text (held-commits.ts), or
// is one where an earlier version pinned it.
import { fail } from "../../../core/contract/index.ts";
import {
  git,
  idOf,
  parseCommit,
  printCommit,
  readObjects,
  readOwnRefs,
  subjectOf,
  type FoundObject,
  type NewObject,
  type Repository,
} from "../../../platform/git/index.ts";
import { commitRef, idsIn } from "./held-commits.ts";

export const keepPrefix = "refs/thehood/keep";
const prefix = keepPrefix;

/** The ref beside that of kept work. */
export const companion = (ref: string): string => commitRef(runOf(ref), ref.slice(`${prefix}/${runOf(ref)}/`.length));

export interface Pinned {
  readonly ref: string;
  readonly runId: string;
  /** The id of the commit, which is there as text. */
  readonly commit: string;
  readonly tree: string;
  /** What the ref holds: the tree, or the commit where an earlier version pinned it. */
  readonly object: string;
}

export interface PinnedWork extends Pinned {
  /** The tree that holds the commits; undefined where an earlier version pinned it. */
  readonly holder: string | undefined;
  /** Commits of the user that refs of ours lead to because of this work. */
  readonly on: readonly string[];
  readonly parents: readonly string[];
  /** Seconds since 1970. */
  readonly at: number;
  readonly summary: string;
}

interface Named {
  readonly ref: string;
  readonly object: string;
}

/** Everything that is kept, oldest first. What is kept of one run costs the same however many runs there are. */
export async function listPinned(repository: Repository, runId?: string): Promise<PinnedWork[]> {
  const kept = await describePinned(repository, readRefs(repository, runId) ?? (await askRefs(repository, runId)));
  return kept.toSorted((a, b) => a.at - b.at || a.ref.localeCompare(b.ref, "en", { numeric: true }));
}

const runOf = (ref: string): string => ref.slice(prefix.length + 1).split("/")[0] ?? "";

interface OwnRefs {
  readonly keeps: readonly Named[];
  /** By their refs. */
  readonly holders: ReadonlyMap<string, string>;
}

const mapOf = (refs: readonly Named[]): Map<string, string> => new Map(refs.map(({ ref, object }) => [ref, object]));

function readRefs(repository: Repository, runId: string | undefined): OwnRefs | undefined {
  if (runId === undefined) return undefined;
  // What holds the commit is written before the work has a name, so in this order none is missed.
  const keeps = readOwnRefs(repository, `${prefix}/${runId}`);
  if (keeps?.length === 0) return { keeps, holders: new Map() };
  const holders = readOwnRefs(repository, commitRef(runId, "").slice(0, -1));
  return keeps && holders && { keeps, holders: mapOf(holders) };
}

async function askRefs(repository: Repository, runId: string | undefined): Promise<OwnRefs> {
  const below = runId === undefined ? "" : `${runId}/`;
  const under = [`${prefix}/${below}`, `refs/thehood/commit/${below}`];
  const listed = await git(repository, ["for-each-ref", "--format=%(refname) %(objectname)", ...under]);
  const refs = listed.stdout
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): Named => {
      const [ref = "", object = ""] = line.split(" ");
      return { ref, object };
    });
  const isKeep = ({ ref }: Named) => ref.startsWith(`${prefix}/`);
  return { keeps: refs.filter(isKeep), holders: mapOf(refs.filter((one) => !isKeep(one))) };
}

const asked = 2;

async function describePinned(repository: Repository, { keeps, holders }: OwnRefs): Promise<PinnedWork[]> {
  const names = keeps.flatMap(({ ref, object }) => {
    const holder = holders.get(companion(ref));
    return holder === undefined ? [object, object] : [`${holder}:commit`, `${holder}:on`];
  });
  // Every name is asked for twice or with its partner, so that each piece of work has as many answers.
  const found = await readObjects(repository, names);
  return keeps.flatMap(({ ref, object }, at) => {
    const [text, on] = found.slice(asked * at, asked * at + asked);
    const holder = holders.get(companion(ref));
    const about = describe(object, holder, text, on);
    return about ? [{ ref, runId: runOf(ref), object, ...about }] : [];
  });
}

function describe(
  object: string,
  holder: string | undefined,
  text: FoundObject | undefined,
  on: FoundObject | undefined,
): Omit<PinnedWork, "ref" | "runId" | "object"> | undefined {
  const found = text && parseCommit(text.bytes);
  if (holder === undefined && found && text.type === "commit")
    return { commit: object, tree: found.tree, holder, on: [], ...shown(found) };
  if (holder !== undefined && found?.tree === object)
    return {
      commit: idOf({ type: "commit", bytes: text?.bytes ?? Buffer.alloc(0) }, object.length),
      tree: object,
      holder,
      on: idsIn(on?.bytes),
      ...shown(found),
    };
  return bare(object, text);
}

const shown = ({ parents, at, message }: NonNullable<ReturnType<typeof parseCommit>>) => ({
  parents,
  at,
  summary: subjectOf(message),
});

/** Somebody has removed what held the commit: the work itself is still there. */
function bare(object: string, text: FoundObject | undefined) {
  if (text !== undefined && text.type !== "tree" && text.id === object) return undefined;
  const commit: NewObject = printCommit({ tree: object, parents: [], at: 0, message: "" });
  return {
    commit: idOf(commit, object.length),
    tree: object,
    holder: undefined,
    on: [],
    parents: [],
    at: 0,
    summary: "",
  };
}

/** Whether one of these holds the text of the commit. */
export async function isHeld(repository: Repository, commit: string, kept: readonly PinnedWork[]): Promise<boolean> {
  const names = kept.flatMap(({ holder }) => (holder === undefined ? [] : [`${holder}:${commit}`]));
  const found = await readObjects(repository, names);
  return found.some((one) => one && idOf({ type: "commit", bytes: one.bytes }, commit.length) === commit);
}

/** The files that the work began on. */
export async function baseTreeOf(repository: Repository, { holder, parents, tree }: PinnedWork): Promise<string> {
  const [base] = parents;
  if (base === undefined) return tree;
  const names = [...(holder === undefined ? [] : [`${holder}:${base}.files`]), `${base}^{tree}`];
  const found = await readObjects(repository, names);
  return found.find((one) => one?.type === "tree")?.id ?? fail("git_failed", `The files of ${base} are gone.`);
}
