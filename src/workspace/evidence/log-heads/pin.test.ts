// The ref of pinned heads: no commit in the user's `git log --all`, the same chain as that of an earlier version, and nothing
// that is altered, taken out or put in goes unseen.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeRepository, plainGit } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { printCommit, requireRepository, writeObjects, type NewObject } from "../../../platform/git/index.ts";
import { userKey } from "../key.ts";
import { printHead, signHead } from "./head.ts";
import { createPinner, pinnedHeads } from "./pin.ts";
import { headsRef } from "./read-records.ts";
import { addRecord, type RecordState } from "./records.ts";

function scene(format = "sha1") {
  const dir = tempFolder("heads-");
  plainGit(dir, "init", "-q", "-b", "main", `--object-format=${format}`);
  plainGit(dir, "commit", "-q", "--allow-empty", "-m", "mine");
  const repository = requireRepository(dir);
  const key = userKey(tempFolder("key-"));
  const head = (seq: number, chain?: string) =>
    signHead(key, { run: "run_1", seq, head: `hash ${seq}`, at: seq, ...(chain === undefined ? {} : { chain }) });
  const pinOne = (pinner: ReturnType<typeof createPinner>, seq: number) => pinner.pin((chain) => [head(seq, chain)]);
  const git = (...args: string[]) => plainGit(dir, ...args).trim();
  const by = ["-c", "user.name=a", "-c", "user.email=a@a"];
  const withInput = (input: string, ...args: string[]) =>
    execFileSync("git", [...by, ...args], { cwd: dir, input, encoding: "utf8" }).trim();
  const seqs = async () => (await pinnedHeads(repository)).pins.map((pin) => pin.head.seq);
  return { dir, repository, head, pinOne, git, withInput, seqs };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** As many as that, without a process for each. */
async function fill({ repository, head, git }: ReturnType<typeof scene>, length: number, count: number) {
  let state: RecordState = { root: undefined, rows: [], chain: undefined, last: undefined };
  const all: NewObject[] = [];
  const ids: (string | undefined)[] = [];
  for (const seq of upTo(count + 1)) {
    const lines = seq === 1 ? "heads of logs 1\n" : `run_1 ${seq - 1}\n\n${printHead(head(seq - 1, state.chain))}\n`;
    const parents = state.last === undefined ? [] : [state.last];
    const record = printCommit({ tree: "0".repeat(length), parents, at: seq, message: lines });
    const { state: next, objects } = addRecord(state, record, length);
    all.push(...objects.slice(0, -1), ...(seq > count ? objects.slice(-1) : []));
    if (seq > 1) ids.push(next.last);
    state = next;
  }
  await writeObjects(repository, all, length);
  git("update-ref", headsRef, state.root ?? "");
  return ids;
}

it.each([
  ["sha1", 40],
  ["sha256", 64],
] as const)(
  "[B-13] heads are read in their order, of many processes too, and none is a commit that git shows (%s)",
  async (format, length) => {
    const at = scene(format);
    const { repository, pinOne, git, seqs } = at;
    const before = git("log", "--all", "--format=%H");
    // The record of the chain is the first; every 100 of them have moved into a folder.
    const ids = await fill(at, length, 198);
    for (const seq of [199, 200, 201]) ids.push((await pinOne(createPinner(repository), seq)).commit);
    expect(await seqs()).toEqual(upTo(201));
    expect((await pinnedHeads(repository)).pins.map(({ commit }) => commit)).toEqual(ids);
    const names = ["0000000", "0000001", "000000200", "000000201", "last"];
    expect(git("ls-tree", "--name-only", headsRef).split("\n")).toEqual(names);
    expect(git("log", "--all", "--format=%H")).toBe(before);
    git("gc", "-q", "--prune=now");
    expect(git("fsck", "--no-dangling")).toBe("");
    expect((await pinnedHeads(repository)).broken).toBe(0);
    expect(await seqs()).toEqual(upTo(201));
  },
);

it("[B-31] behind ten thousand heads the next one is a few small objects", () => {
  let state: RecordState = { root: undefined, rows: [], chain: undefined, last: undefined };
  const sizes: number[] = [];
  for (const seq of upTo(10_050)) {
    const record = printCommit({ tree: "0".repeat(40), parents: [], at: seq, message: "one\n" });
    const added = addRecord(state, record, 40);
    sizes.push(added.objects.reduce((sum, { bytes }) => sum + bytes.length, 0));
    state = added.state;
  }
  expect(state.rows.map(({ name }) => name).slice(0, 3)).toEqual(["00000", "000010000", "000010001"]);
  expect(Math.max(...sizes)).toBeLessThan(15_000);
});

it("[B-13] a record that is altered, taken out or put in breaks the chain", async () => {
  const { repository, pinOne, git, withInput, seqs } = scene();
  const pinner = createPinner(repository);
  for (const seq of upTo(5)) await pinOne(pinner, seq);
  const rows = git("ls-tree", headsRef).split("\n");
  const whole = git("rev-parse", headsRef);
  const broken = async (changed: readonly string[]) => {
    git("update-ref", headsRef, withInput(`${changed.join("\n")}\n`, "mktree"));
    const found = { seqs: await seqs(), broken: (await pinnedHeads(repository)).broken };
    git("update-ref", headsRef, whole);
    return found;
  };
  const text = git("cat-file", "blob", `${headsRef}:000000003`);
  const other = withInput(text.replace("hash 3", "hash 9"), "hash-object", "-w", "--stdin");
  const altered = rows.map((row) => (row.endsWith("3") ? `100644 blob ${other}\t000000003` : row));
  expect(await broken(rows)).toEqual({ seqs: upTo(5), broken: 0 });
  expect(await broken(rows.filter((row) => !row.endsWith("000000003")))).toEqual({ seqs: [1, 2], broken: 2 });
  expect(await broken(altered)).toEqual({ seqs: [1, 2, 3], broken: 2 });
  const twice = [...rows, `100644 blob ${git("rev-parse", `${headsRef}:000000002`)}\t000000006`];
  expect(await broken(twice)).toEqual({ seqs: upTo(5), broken: 2 });
});

it("[B-13] the commits of an earlier version are read, and the chain goes on behind them", async () => {
  const { repository, head, pinOne, git, withInput, seqs } = scene();
  const empty = withInput("", "hash-object", "-t", "tree", "-w", "--stdin");
  const root = withInput("heads of logs 1\n", "commit-tree", empty);
  let tip = root;
  for (const seq of upTo(3))
    tip = withInput(`run_1 ${seq}\n\n${JSON.stringify(head(seq, root))}\n`, "commit-tree", empty, "-p", tip);
  git("update-ref", headsRef, tip);
  const old = await pinnedHeads(repository);
  expect(old).toMatchObject({ chain: root, broken: 0 });
  expect(old.pins.map((pin) => pin.head.seq)).toEqual([1, 2, 3]);
  const done = await pinOne(createPinner(repository), 4);
  expect(done.chain).toBe(root);
  for (const seq of [5, 6]) await pinOne(createPinner(repository), seq);
  git("gc", "-q", "--prune=now");
  const now = await pinnedHeads(repository);
  expect(now).toMatchObject({ chain: root, broken: 0 });
  expect(now.pins.slice(0, 3)).toEqual(old.pins);
  expect(await seqs()).toEqual(upTo(6));
  expect(git("log", "--all", "--format=%s")).toBe("mine");
});

it("[B-13] what somebody else has put under the name is left alone, and said", async () => {
  const { repository, pinOne, git, withInput } = scene();
  const blob = withInput("mine\n", "hash-object", "-w", "--stdin");
  const lastIsFolder = withInput(`040000 tree ${withInput("", "mktree")}\tlast\n`, "mktree");
  for (const id of [blob, git("rev-parse", "HEAD^{tree}"), lastIsFolder]) {
    git("update-ref", headsRef, id);
    await expect(pinOne(createPinner(repository), 1)).rejects.toThrow(/holds something that is not ours/);
    expect(git("rev-parse", headsRef)).toBe(id);
    expect((await pinnedHeads(repository)).pins).toEqual([]);
  }
});

it("[B-13] the ref can be pushed under a new name, and read in a clone", async () => {
  const { dir, repository, pinOne, git } = scene();
  await pinOne(createPinner(repository), 1);
  const mirror = makeRepository({ "a.txt": "a\n" });
  git("push", "-q", mirror.dir, headsRef);
  await pinOne(createPinner(repository), 2);
  git("push", "-q", mirror.dir, `${headsRef}:refs/thehood/log-2`, `+${headsRef}`);
  const theirs = requireRepository(mirror.dir);
  expect(await pinnedHeads(theirs)).toEqual(await pinnedHeads(requireRepository(dir)));
  mirror.remove();
});
