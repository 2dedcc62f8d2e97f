// Refs that keep work alive: whatever we are about to remove is pinned here first, and only a person drops it.
import { fail } from "../../contract/index.ts";
import { git, splitRecords, type Repository } from "../git/index.ts";
import { isSafeSegment } from "../paths/index.ts";

const prefix = "refs/thehood/keep";
const zero = "0".repeat(40);
const durable = [
  ["core.fsync", "all"],
  ["core.fsyncMethod", "fsync"],
] as const;

export interface KeptWork {
  readonly ref: string;
  readonly runId: string;
  readonly commit: string;
  readonly tree: string;
  /** Seconds since 1970. */
  readonly at: number;
  readonly summary: string;
}

export interface PinRequest {
  readonly runId: string;
  readonly tree: string;
  /** The base commit first, then whatever else must stay reachable: the worker's commits, its index. */
  readonly parents: readonly string[];
  readonly message: string;
}

/** Pins a tree as a commit under `refs/thehood/keep/<runId>/<n>`. The same tree with the same parents is pinned once. */
export async function pin(repository: Repository, request: PinRequest): Promise<KeptWork> {
  if (!isSafeSegment(request.runId)) fail("invalid_input", `${JSON.stringify(request.runId)} is no run id.`);
  const kept = await listKept(repository, request.runId);
  const parents = [...new Set(request.parents)];
  const existing = await alreadyPinned(repository, kept, request.tree, parents);
  if (existing) return existing;
  const commit = await commitTree(repository, request.tree, parents, request.message);
  for (let n = 1 + Math.max(0, ...kept.map((work) => Number(work.ref.split("/").at(-1)))); ; n++) {
    const ref = `${prefix}/${request.runId}/${n}`;
    const { exitCode } = await git(repository, ["update-ref", ref, commit, zeroLike(commit)], {
      accept: [0, 128],
      config: durable,
    });
    if (exitCode === 0) {
      const [made] = (await listKept(repository, request.runId)).filter((work) => work.ref === ref);
      return made ?? fail("git_failed", `${ref} was written but cannot be read back.`);
    }
    if (n > kept.length + 100) fail("git_failed", `No free name under ${prefix}/${request.runId}.`);
  }
}

/** "It must not exist yet", in the length of this repository's ids. */
const zeroLike = (id: string) => (id.length === zero.length ? zero : "0".repeat(id.length));

export async function commitTree(
  repository: Repository,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const { stdout } = await git(repository, args, { stdin: message, config: durable });
  return stdout.toString("latin1").trim();
}

async function alreadyPinned(
  repository: Repository,
  kept: readonly KeptWork[],
  tree: string,
  parents: readonly string[],
): Promise<KeptWork | undefined> {
  for (const work of kept) {
    if (work.tree !== tree) continue;
    const { stdout } = await git(repository, ["rev-list", "--parents", "--max-count=1", work.commit]);
    const have = stdout.toString("latin1").trim().split(" ").slice(1);
    if (parents.every((parent) => have.includes(parent))) return work;
  }
  return undefined;
}

/** Everything that is kept, oldest first. */
export async function listKept(repository: Repository, runId?: string): Promise<KeptWork[]> {
  const format = "%(refname)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents:subject)%00";
  const under = runId === undefined ? prefix : `${prefix}/${runId}`;
  const { stdout } = await git(repository, ["for-each-ref", `--format=${format}`, `${under}/`]);
  const records = splitRecords(stdout).map((record) => record.replace(/^\n/, ""));
  const kept: KeptWork[] = [];
  for (let index = 0; index + 4 < records.length; index += 5) {
    const [ref = "", commit = "", tree = "", at = "", summary = ""] = records.slice(index, index + 5);
    const run = ref.slice(prefix.length + 1).split("/")[0] ?? "";
    kept.push({
      ref,
      runId: run,
      commit,
      tree,
      at: Number(at),
      summary: Buffer.from(summary, "latin1").toString("utf8"),
    });
  }
  return kept.toSorted((a, b) => a.at - b.at || a.ref.localeCompare(b.ref, "en", { numeric: true }));
}

/** Drops one kept ref, and only if it still holds what the caller saw. */
export async function dropKept(
  repository: Repository,
  work: Pick<KeptWork, "ref" | "commit">,
): Promise<void> {
  if (!work.ref.startsWith(`${prefix}/`)) fail("invalid_input", `${work.ref} is not kept work.`);
  await git(repository, ["update-ref", "-d", work.ref, work.commit]);
}
