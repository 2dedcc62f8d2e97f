// Reads what the ref of pinned heads leads to: a tree of records, or the commits of an earlier version.
import { fail } from "../../../core/contract/index.ts";
import {
  askOwnRef,
  git,
  idOf,
  isFullId,
  parseCommit,
  parseTree,
  readObjects,
  type FoundObject,
  type NewObject,
  type Repository,
  type TreeRow,
} from "../../../platform/git/index.ts";
import { parseHead } from "./head.ts";
import {
  earlierName,
  isRecordPath,
  isRecordRow,
  joinTexts,
  lastName,
  splitTexts,
  type RecordState,
} from "./records.ts";

export const headsRef = "refs/thehood/log";

const strange = (what: string): never =>
  fail("git_failed", `${headsRef} ${what}, so no head is pinned there.`, {
    remedy: `Look at it with: git cat-file -p ${headsRef}. Remove it if it is worth nothing: git update-ref -d ${headsRef}`,
  });

async function askFor(repository: Repository, ...more: readonly string[]): Promise<(FoundObject | undefined)[]> {
  for (let tries = 5; ; tries -= 1) {
    const found = await readObjects(repository, [headsRef, ...more]);
    if (found[0] || (await askOwnRef(repository, headsRef)) === null) return found;
    // Another process may have made it between the two questions.
    if (tries === 1) strange("leads to nothing that can be read");
  }
}

/** Commits of an earlier version, oldest first. */
async function commitTexts(repository: Repository, tip: string): Promise<Buffer[]> {
  const { stdout } = await git(repository, ["rev-list", "--first-parent", "--reverse", tip]);
  const ids = stdout.toString("latin1").split("\n").filter(isFullId);
  return (await readObjects(repository, ids)).map((one) => one?.bytes ?? strange("leads to a commit that is gone"));
}

/** The texts of all records, oldest first; undefined without a ref. */
export async function recordTexts(repository: Repository): Promise<{ texts: Buffer[]; length: number } | undefined> {
  const [tip] = await askFor(repository);
  if (!tip) return undefined;
  const { length } = tip.id;
  if (tip.type === "commit") return { texts: await commitTexts(repository, tip.id), length };
  if (tip.type !== "tree") return { texts: [], length };
  const { stdout } = await git(repository, ["ls-tree", "-r", "-z", "--full-tree", tip.id]);
  const files = stdout
    .toString("latin1")
    .split("\0")
    .flatMap((line) => {
      const [, id, path] = /^100644 blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return id !== undefined && path !== undefined ? [{ id, path }] : [];
    });
  const numbered = files
    .filter(({ path }) => isRecordPath(path))
    .map(({ id, path }) => ({ id, name: path.slice(-9) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const earlier = files.filter(({ path }) => path === earlierName);
  const found = await readObjects(
    repository,
    [...earlier, ...numbered].map(({ id }) => id),
  );
  const texts = found.map((one) => one?.bytes ?? strange("names a record that is gone"));
  return { texts: [...texts.slice(0, earlier.length).flatMap(splitTexts), ...texts.slice(earlier.length)], length };
}

export interface ReadState extends RecordState {
  /** What has to be written with the next record. */
  readonly objects: readonly NewObject[];
}

/** What the next record needs to know; undefined without a ref. */
export async function readState(repository: Repository, tries = 5): Promise<ReadState | undefined> {
  const [tip, last] = await askFor(repository, `${headsRef}:${lastName}`);
  if (!tip) return undefined;
  if (tip.type === "commit") return convert(repository, tip.id);
  const rows = tip.type === "tree" ? parseTree(tip.bytes, tip.id.length) : [];
  const newest = rows.find(({ name }) => name === lastName);
  // Moved between the two questions: the caller asks again.
  if (newest && newest.id !== last?.id && tries > 1) return readState(repository, tries - 1);
  const text = last && parseCommit(last.bytes);
  if (newest?.id !== last?.id || !last || !text) return strange("holds something that is not ours");
  const id = idOf({ type: "commit", bytes: last.bytes }, tip.id.length);
  const kept = rows.filter(isRecordRow);
  return {
    root: tip.id,
    rows: kept,
    chain: parseHead(headLines(text.message).at(-1) ?? "")?.chain ?? id,
    last: id,
    objects: [],
  };
}

async function convert(repository: Repository, tip: string): Promise<ReadState> {
  const texts = await commitTexts(repository, tip);
  const earlier = joinTexts(texts);
  const ids = texts.map((bytes) => idOf({ type: "commit", bytes }, tip.length));
  const rows: TreeRow[] = [{ mode: "100644", name: earlierName, id: idOf(earlier, tip.length) }];
  return { root: tip, rows, chain: ids[0], last: ids.at(-1), objects: [earlier] };
}

/** Behind the first line, one head a line. */
export const headLines = (message: string): string[] =>
  message
    .trim()
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");
