// Commits of a run are held as text: `git log --all` shows every commit that a ref leads to, and these are not the user's.
// A tree holds them, which `git log` passes over and a `git gc` keeps with all that is in it:
//   commit       the text of the newest one
//   on           the commits of the user that they stand on, one a line; refs of their own lead to those
//   ID           the text of each one
//   ID.files     its files
import { fail } from "../../../core/contract/index.ts";
import {
  git,
  idOf,
  isFullId,
  parseCommit,
  printTree,
  readObjects,
  writeObjects,
  type NewObject,
  type Repository,
  type TreeRow,
} from "../../../platform/git/index.ts";

const prefix = "refs/thehood";
export const baseRef = (commit: string): string => `${prefix}/base/${commit}`;
export const parentRef = (commit: string): string => `${prefix}/parent/${commit}`;
export const commitRef = (runId: string, name: string): string => `${prefix}/commit/${runId}/${name}`;

export interface Holder {
  /** The id of the tree. */
  readonly id: string;
  /** What has to be written for it. */
  readonly objects: readonly NewObject[];
}

/** `commits`: the newest first. */
export function holderOf(commits: readonly NewObject[], on: readonly string[], length: number): Holder {
  const texts = commits.map(({ bytes }): NewObject => ({ type: "blob", bytes }));
  const named: NewObject = { type: "blob", bytes: Buffer.from(on.map((id) => `${id}\n`).join("")) };
  const blob = (name: string, one: NewObject | undefined): TreeRow[] =>
    one ? [{ mode: "100644", name, id: idOf(one, length) }] : [];
  const rows = commits.flatMap((commit, at): TreeRow[] => {
    const id = idOf(commit, length);
    const files = parseCommit(commit.bytes)?.tree ?? fail("git_failed", `${id} is not the text of a commit.`);
    return [...blob(id, texts[at]), { mode: "40000", name: `${id}.files`, id: files }];
  });
  const tree = printTree([...blob("commit", texts[0]), ...blob("on", named), ...rows]);
  return { id: idOf(tree, length), objects: [...texts, named, tree] };
}

export const idsIn = (bytes: Uint8Array | undefined): string[] =>
  Buffer.from(bytes ?? [])
    .toString("latin1")
    .split("\n")
    .filter(isFullId);

/** More are hardly the work of one run: it is then on a branch of the user, and a ref leads to its end. */
const mostCommits = 1_000;

export interface Standing {
  /** Commits of the run that the new one leads to. */
  readonly own: readonly NewObject[];
  /** Commits of the user. Where others lead to more than `mostCommits`, these too: they are not held as text. */
  readonly on: readonly string[];
}

/** What the parents of a commit of ours lead to. The first one is the base; `isOurs` says which commits the runtime made. */
export async function standingOf(
  repository: Repository,
  [base, ...others]: readonly string[],
  isOurs: (commit: string) => Promise<boolean>,
): Promise<Standing> {
  const own = new Map<string, NewObject>();
  const on = new Set<string>();
  for (let next = base === undefined ? [] : [base]; next.length > 0;) {
    const ours: string[] = [];
    for (const id of next)
      if (await isOurs(id)) ours.push(id);
      else on.add(id);
    const texts = await textsOf(repository, ours);
    for (const [id, text] of texts) own.set(id, text);
    next = [...texts.values()].flatMap(({ bytes }) => parseCommit(bytes)?.parents ?? []).filter((id) => !own.has(id));
  }
  if (others.length === 0) return { own: [...own.values()], on: [...on] };
  const args = ["rev-list", `--max-count=${mostCommits + 1}`, ...others, ...(on.size > 0 ? ["--not", ...on] : [])];
  const ids = idsIn((await git(repository, args)).stdout);
  if (ids.length > mostCommits) for (const id of others) on.add(id);
  else for (const [id, text] of await textsOf(repository, ids)) own.set(id, text);
  return { own: [...own.values()], on: [...on] };
}

async function textsOf(repository: Repository, ids: readonly string[]): Promise<Map<string, NewObject>> {
  let found = await readObjects(repository, ids);
  for (const [at, one] of found.entries()) if (!one) await bringBackCommit(repository, ids[at] ?? "");
  if (found.includes(undefined)) found = await readObjects(repository, ids);
  return new Map(
    ids.map((id, at) => {
      const one = found[at];
      if (one?.type !== "commit") return fail("git_failed", `The commit ${id} is gone.`, { remedy: "Run: git fsck" });
      return [id, { type: "commit", bytes: one.bytes }];
    }),
  );
}

/** The trees that may hold a commit. */
async function holders(repository: Repository, commit: string): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(objectname)", baseRef(commit), `${prefix}/commit/`];
  return idsIn((await git(repository, args)).stdout);
}

/** Makes a commit again from its text, with those that it stands on. False when nothing holds it. */
export async function bringBackCommit(repository: Repository, commit: string): Promise<boolean> {
  if (!isFullId(commit)) return false;
  const isText = ({ bytes }: { readonly bytes: Uint8Array }, id: string) =>
    idOf({ type: "commit", bytes }, commit.length) === id;
  const all = await holders(repository, commit);
  const found = await readObjects(
    repository,
    all.map((holder) => `${holder}:${commit}`),
  );
  const holder = all.find((_, at) => found[at] !== undefined && isText(found[at], commit));
  if (holder === undefined) return false;
  const { stdout } = await git(repository, ["ls-tree", "--name-only", holder]);
  const ids = idsIn(stdout);
  const texts = await readObjects(
    repository,
    ids.map((id) => `${holder}:${id}`),
  );
  const commits = ids.flatMap((id, at): NewObject[] => {
    const text = texts[at];
    return text && isText(text, id) ? [{ type: "commit", bytes: text.bytes }] : [];
  });
  await writeObjects(repository, commits, commit.length);
  return true;
}
