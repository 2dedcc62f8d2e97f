// A worker without a sandbox may run `git stash`, and all worktrees share one list of stashes. A stash of the worker is work
// of the run: it is pinned with the rest and taken out of the user's list. A stash that may be the user's stays there.
import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { git, type Repository } from "../../../platform/git/index.ts";
import { entryAt } from "../../../platform/system/index.ts";
import { resolveCommit } from "./describe.ts";
import { recordLocation, type Worktree } from "./record.ts";

interface Stash {
  readonly commit: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** The branch on which it was made, as git names it in the message. */
  readonly branch: string;
  readonly message: string;
}

const detached = "(no branch)";
const line = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}\t((?:WIP on|On) (\(no branch\)|[^:\n]*): .*)$/;

/** Oldest first, with nothing for an entry that git did not write by `git stash push`. */
function listStashes({ commonDir }: Repository): (Stash | undefined)[] {
  const log = join(commonDir, "logs", "refs", "stash");
  if (entryAt(log)?.isFile() !== true) return [];
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return lines.map((text) => {
    const [, commit = "", at, message = "", branch = ""] = line.exec(text) ?? [];
    return commit === "" ? undefined : { commit, at: Number(at), branch, message };
  });
}

/** The names that git writes into a stash for a HEAD; older versions of git write only the last part of a branch's name. */
function namesFor(head: string): string[] {
  const text = entryAt(head)?.isFile() === true ? readFileSync(head, "utf8").trim() : "";
  if (!text.startsWith("ref: refs/heads/")) return [detached];
  const branch = text.slice("ref: refs/heads/".length);
  return [branch, branch.split("/").at(-1) ?? branch];
}

/** The HEADs of all worktrees that do not belong to our workers. */
function headsOfOthers({ commonDir }: Repository): string[] {
  const notes = join(commonDir, "worktrees");
  const linked = entryAt(notes)?.isDirectory() === true ? readdirSync(notes) : [];
  const others = linked.filter((name) => {
    const pointer = join(notes, name, "gitdir");
    return entryAt(pointer)?.isFile() === true && !readFileSync(pointer, "utf8").includes("/.thehood-work/");
  });
  return [join(commonDir, "HEAD"), ...others.map((name) => join(notes, name, "HEAD"))];
}

/**
 * Stashes that only this worker can have made: newer than its folder, on one of the commits that it was on, and on a
 * branch (or detached) that no other worktree is on.
 */
export async function stashesOf(worktree: Worktree, stood: readonly string[]): Promise<string[]> {
  const { repository, record, runId, name } = worktree;
  const listed = listStashes(repository).filter((stash) => stash !== undefined);
  const shown = lstatSync(recordLocation(repository, runId, name).shown, { throwIfNoEntry: false });
  if (listed.length === 0 || !shown) return [];
  const theirs = new Set(headsOfOthers(repository).flatMap(namesFor));
  const own = [detached, ...namesFor(join(record.adminDir, "HEAD"))].filter((one) => !theirs.has(one));
  const since = Math.floor(shown.mtimeMs / 1000);
  const likely = listed.filter(({ at, branch }) => at >= since && own.includes(branch));
  const parents = await Promise.all(likely.map(({ commit }) => resolveCommit(repository, `${commit}^1`)));
  return likely.filter((_, at) => stood.includes(parents[at] ?? "")).map(({ commit }) => commit);
}

/** Call it once the stashes are pinned. A stash that the user makes at this moment moves the others by one, and comes back. */
export async function takeOutStashes(repository: Repository, commits: readonly string[]): Promise<void> {
  for (const commit of commits) {
    const listed = listStashes(repository).toReversed();
    const at = listed.findIndex((stash) => stash?.commit === commit);
    if (at === -1) continue;
    const { stdout } = await git(repository, ["stash", "drop", `stash@{${at}}`], { accept: [0, 1, 128] });
    const dropped = /\(([0-9a-f]{40,64})\)/.exec(stdout.toString("latin1"))?.[1];
    if (dropped === undefined || dropped === commit) continue;
    const message = listed.find((stash) => stash?.commit === dropped)?.message ?? "stash";
    await git(repository, ["stash", "store", "-m", message, dropped]);
  }
}
