// Signed heads in a git ref: one commit without files for each pinned head, each on top of the one before. The message
// holds ids, numbers, hashes and a signature, and nothing of the work, so that the ref may be pushed.
import { randomBytes } from "node:crypto";
import { fail } from "../../../core/contract/index.ts";
import {
  withGcPaused,
  bringIn,
  git,
  isThere,
  moveOwnRef,
  writeEmptyTree,
  type Repository,
} from "../../../platform/git/index.ts";
import { parseHead, printHead, type SignedHead } from "./head.ts";

export const headsRef = "refs/thehood/log";
const mostTries = 40;

const idOf = (stdout: Buffer): string => stdout.toString("latin1").trim();

async function tipOf(repository: Repository): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", headsRef];
  const { stdout, exitCode } = await git(repository, args, { accept: [0, 1] });
  return exitCode === 0 ? idOf(stdout) : undefined;
}

/** The tree without files, by the length of the repository's ids. It is written with the first commit of the ref. */
const emptyTrees: Readonly<Record<number, string>> = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

async function commitHead(
  repository: Repository,
  parent: string | undefined,
  message: string,
  date: string,
): Promise<string> {
  const tree = parent === undefined ? await writeEmptyTree(repository) : emptyTrees[parent.length];
  if (tree === undefined) throw new TypeError(`${parent} is not the id of a commit`);
  const args = ["commit-tree", tree, ...(parent === undefined ? [] : ["-p", parent]), "-F", "-"];
  const author = { name: "TheHood", email: "thehood@localhost", date };
  return idOf((await git(repository, args, { stdin: message, author })).stdout);
}

/** False when another process has moved the ref since. */
async function moveRef(repository: Repository, to: string, from: string | undefined): Promise<boolean> {
  return moveOwnRef(repository, headsRef, to, from ?? null);
}

interface Entry {
  readonly from: string | undefined;
  readonly message: string;
  readonly date: string;
}

const entry = (from: string | undefined, message: string): Entry => ({
  from,
  message,
  date: `${Math.floor(Date.now() / 1_000)} +0000`,
});

/** Puts a commit on top of the ref. One that a gc took away is made again: the same date makes the same commit. */
async function addToRef(repository: Repository, { from, message, date }: Entry): Promise<string | undefined> {
  return withGcPaused(repository, async (where) => {
    const commit = await commitHead(where, from, message, date);
    await bringIn(where, commit);
    const moved = (await moveRef(repository, commit, from)) || (await tipOf(repository)) === commit;
    if (!(await isThere(repository, commit))) fail("git_failed", `The commit of ${headsRef} is gone again.`);
    return moved ? commit : undefined;
  });
}

interface PinnedHead {
  readonly commit: string;
  readonly head: SignedHead;
}

/** The commits of the ref, oldest first. The first one only makes this chain different from every other. */
export async function pinnedHeads(repository: Repository): Promise<{
  readonly chain: string | undefined;
  readonly pins: readonly PinnedHead[];
  readonly broken: number;
}> {
  const tip = await tipOf(repository);
  if (tip === undefined) return { chain: undefined, pins: [], broken: 0 };
  const args = ["log", "--first-parent", "--reverse", "--format=%H%x00%B%x00", tip];
  const parts = (await git(repository, args)).stdout.toString("utf8").split("\0");
  const pins: PinnedHead[] = [];
  let broken = 0;
  for (let index = 2; index + 1 < parts.length; index += 2) {
    const lines = headLines(parts[index + 1] ?? "");
    if (lines.length === 0) broken += 1;
    for (const line of lines) {
      const head = parseHead(line);
      if (head) pins.push({ commit: (parts[index] ?? "").trim(), head });
      else broken += 1;
    }
  }
  return { chain: (parts[0] ?? "").trim(), pins, broken };
}

/** Behind the first line, one head a line. */
const headLines = (message: string): string[] =>
  message
    .trim()
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");

async function headIn(repository: Repository, commit: string): Promise<SignedHead | undefined> {
  const args = ["log", "-1", "--format=%B", commit];
  return parseHead(headLines((await git(repository, args)).stdout.toString("utf8")).at(-1) ?? "");
}

interface Pinner {
  /** Pins the heads that `made` signs for the chain, in one commit. */
  pin(made: (chain: string) => readonly SignedHead[]): Promise<{ readonly chain: string; readonly commit: string }>;
  /** Makes those commits again that a `git prune` took away after their ref was there, because it had read the refs before. */
  mend(): Promise<void>;
}

export function createPinner(repository: Repository): Pinner {
  let known: { chain: string; tip: string } | undefined;
  const added = new Map<string, Entry>();
  const add = async (made: Entry): Promise<string | undefined> => {
    const commit = await addToRef(repository, made);
    if (commit !== undefined) added.set(commit, made);
    return commit;
  };
  const begin = async (): Promise<{ chain: string; tip: string }> => {
    const tip = await tipOf(repository);
    if (tip !== undefined) return { tip, chain: (await headIn(repository, tip))?.chain ?? tip };
    const message = `heads of logs ${randomBytes(16).toString("hex")}\n`;
    const root = await add(entry(undefined, message));
    return root === undefined ? begin() : { chain: root, tip: root };
  };
  return {
    async pin(made) {
      for (let tries = 0; tries < mostTries; tries++) {
        const { chain, tip } = (known ??= await begin());
        const heads = made(chain);
        const [first] = heads;
        const title = heads.length > 1 ? `${heads.length} heads` : `${first?.run ?? ""} ${first?.seq ?? 0}`;
        const commit = await add(entry(tip, `${title}\n\n${heads.map(printHead).join("\n")}\n`));
        if (commit !== undefined) {
          known = { chain, tip: commit };
          return { chain, commit };
        }
        known = undefined;
      }
      return fail("git_failed", `${headsRef} moves faster than a head can be pinned.`, {
        remedy: "Try again.",
      });
    },
    async mend() {
      for (const [commit, made] of added) if (!(await isThere(repository, commit))) await addToRef(repository, made);
    },
  };
}
