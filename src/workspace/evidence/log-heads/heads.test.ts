// Signed heads: a log that is as it was signed gives no alarm, and every other one is named.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { gitIn, makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import type { StoredEvent } from "../../../core/contract/index.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { userKey } from "../key.ts";
import { afterAll, gatherHeads } from "./stored-heads.ts";
import { judgeHeads, isSignedBy, signHead, type SignedHead } from "./head.ts";
import { pinnedHeads } from "./pin.ts";
import { headsRef } from "./read-records.ts";
import { createSealer } from "./sealer.ts";

interface Said {
  readonly type: string;
}

/** Events of one append each, with hashes that count. */
function createSayings() {
  let seq = 0;
  return (type: string): StoredEvent<Said>[] => {
    seq += 1;
    return [{ runId: run, seq, at: 1, event: { type }, prevHash: "", hash: `hash ${seq}` }];
  };
}

const run = "run_aaaaaaaaaa";
let time = 1_000;
let folder = "";
const clock = { now: () => time++ };
beforeEach(() => {
  folder = join(tempFolder("evidence-"), "evidence");
});

async function signed(types: readonly string[]) {
  const { dir: root } = makeRepository({ "a.txt": "a\n" });
  const repository = requireRepository(root);
  const sealer = createSealer({ folder, root, repository, clock });
  const say = createSayings();
  for (const type of types) sealer.sign(say(type));
  expect(await sealer.settle()).toEqual([]);
  const gather = () => gatherHeads(folder, root, repository);
  return { root, repository, sealer, gather, say };
}

const found = (last: number, other: Record<number, string> = {}) => ({
  seq: last,
  hashOf: (seq: number) => (seq > last ? undefined : (other[seq] ?? `hash ${seq}`)),
});

describe("[B-13] signed heads", () => {
  it("sign every append, pin gates and the end in a git ref, and tell nothing of the work there", async () => {
    const { gather, repository, root } = await signed(["run_created", "finding", "approval_required", "run_completed"]);
    const { byRun, key, problems, notes } = await gather();
    expect({ problems, notes }).toEqual({ problems: [], notes: [] });
    expect(new Set(byRun.get(run)?.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3, 4]));
    expect(judgeHeads(byRun.get(run) ?? [], key ?? userKey(folder), found(4))).toBeUndefined();
    const head = readFileSync(join(repository.commonDir, headsRef), "utf8");
    expect(head.trim()).toMatch(/^[0-9a-f]{40}$/);
    expect(JSON.stringify(byRun.get(run))).not.toContain(root);
  });

  it("[B-15] are pinned again when a `git prune` beside us took a commit after its ref was there", async () => {
    const { root, repository, sealer, gather, say } = await signed(["run_created"]);
    const tip = readFileSync(join(repository.commonDir, headsRef), "utf8").trim();
    rmSync(join(repository.commonDir, "objects", tip.slice(0, 2), tip.slice(2)));
    expect(await sealer.settle()).toEqual([]);
    sealer.sign(say("run_completed"));
    expect(await sealer.settle()).toEqual([]);
    expect((await gather()).problems).toEqual([]);
    expect(gitIn(root)("fsck", "--no-dangling")).toBe("");
  });

  it("are pinned after each event after which a person may look, and at no other", async () => {
    const { repository, sealer, say } = await signed(["run_created"]);
    const looked = [
      "approval_required",
      "approval_recorded",
      "patch_applied",
      "run_failed",
      "run_aborted",
      "run_completed",
      "workspace_retired",
    ];
    for (const type of looked.flatMap((one) => ["finding", one])) {
      sealer.sign(say(type));
      expect(await sealer.settle()).toEqual([]);
    }
    const { pins } = await pinnedHeads(repository);
    expect(pins.map(({ head }) => head.seq)).toEqual([1, 3, 5, 7, 9, 11, 13, 15]);
  });

  it.each<Partial<SignedHead>>([
    { run: "run_bbbbbbbbbb" },
    { seq: 3 },
    { head: "hash 3" },
    { at: 7 },
    { mark: "gone" },
    { mark: "anew" },
    { chain: "c".repeat(40) },
    { pin: "d".repeat(40) },
    { place: "another folder" },
  ])("are signed with all that they say: %j put in later breaks the signature", (change) => {
    const key = userKey(folder);
    const head = signHead(key, { run, seq: 2, head: "hash 2", at: 1, chain: "c", pin: "d", place: "here" });
    expect(isSignedBy(key, head)).toBe(true);
    expect(isSignedBy(key, { ...head, ...change })).toBe(false);
  });

  it("a mark that was written without the key into a signed head removes no run", async () => {
    const { gather } = await signed(["run_created", "run_completed"]);
    const { byRun, key = userKey(folder) } = await gather();
    const heads = byRun.get(run) ?? [];
    expect(judgeHeads(heads, key, undefined)).toContain("it is missing");
    const forged = heads.map((head) => (head.seq === 2 ? { ...head, mark: "gone" as const } : head));
    expect(judgeHeads(forged, key, undefined)).toBe("a signed head of it was altered");
  });

  it("make the key once, for the user's eyes alone", async () => {
    await signed(["run_created"]);
    expect(readdirSync(folder).sort()).toEqual(["heads", "key.pem"]);
    expect(statSync(join(folder, "key.pem")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(userKey(folder).id).toBe(userKey(folder).id);
  });

  it.each([
    ["a missing run", undefined, "it is missing: 4 events were signed"],
    ["a cut tail", found(3), "its log ends at event 3, and event 4 was signed"],
    ["another last event", found(4, { 4: "other" }), "event 4 is another one"],
    ["another history under the same end", found(4, { 2: "other" }), "event 2 is another one"],
  ])("find %s", async (_, log, words) => {
    const { byRun, key } = await (await signed(["run_created", "finding", "finding", "run_completed"])).gather();
    expect(judgeHeads(byRun.get(run) ?? [], key ?? userKey(folder), log)).toContain(words);
  });

  it("find heads that were rewritten to fit another log", async () => {
    const { gather } = await signed(["run_created", "run_completed"]);
    const file = join(folder, "heads", readdirSync(join(folder, "heads"))[0] ?? "");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("hash 2", "other"));
    const { byRun, key } = await gather();
    const judged = judgeHeads(byRun.get(run) ?? [], key ?? userKey(folder), found(2, { 2: "other" }));
    expect(judged).toBeDefined();
  });

  it("find a ref that was removed or set back", async () => {
    const { gather, repository, say, sealer } = await signed(["run_created"]);
    const ref = join(repository.commonDir, headsRef);
    const before = readFileSync(ref);
    sealer.sign(say("run_completed"));
    await sealer.settle();
    writeFileSync(ref, before);
    expect((await gather()).problems.join()).toContain(`${headsRef} was cut`);
  });

  it("count no more once a person has taken the log as it is, or removed the run", async () => {
    const { gather, sealer } = await signed(["run_created", "finding", "run_completed"]);
    sealer.mark({ run, seq: 1, head: "hash 1", mark: "anew" });
    await sealer.settle();
    const anew = await gather();
    const key = userKey(folder);
    expect(judgeHeads(anew.byRun.get(run) ?? [], key, found(1))).toBeUndefined();
    sealer.mark({ run, seq: 1, head: "hash 1", mark: "gone" });
    await sealer.settle();
    const heads = (await gather()).byRun.get(run) ?? [];
    expect(judgeHeads(heads, key, undefined)).toBeUndefined();
    expect(judgeHeads(heads, key, found(1))).toContain("here again");
  });

  it("of linked worktrees share the ref and are distinguished", async () => {
    const made = makeRepository({ "a.txt": "a\n" });
    const linked = join(tempFolder("linked-"), "other");
    made.git("worktree", "add", "-q", linked);
    for (const [root, name] of [
      [made.dir, "run_main"],
      [linked, "run_other"],
    ] as const) {
      const sealer = createSealer({ folder, root, repository: requireRepository(root), clock });
      sealer.mark({ run: name, seq: 1, head: "hash 1" });
      expect(await sealer.settle()).toEqual([]);
    }
    for (const [root, own, other] of [
      [made.dir, "run_main", "run_other"],
      [linked, "run_other", "run_main"],
    ] as const) {
      const { byRun, elsewhere, problems, notes } = await gatherHeads(folder, root, requireRepository(root));
      expect({ problems, notes, runs: [...byRun.keys()] }).toEqual({ problems: [], notes: [], runs: [own] });
      expect([...elsewhere]).toEqual([other]);
    }
  });

  it("of several processes at once all come into the ref", async () => {
    const { dir: root } = makeRepository({ "a.txt": "a\n" });
    const repository = requireRepository(root);
    const sealers = [1, 2, 3, 4].map(() => createSealer({ folder, root, repository, clock }));
    sealers.forEach((sealer, index) => sealer.mark({ run: `run_${index}`, seq: 1, head: "hash 1" }));
    for (const sealer of sealers) expect(await sealer.settle()).toEqual([]);
    const { byRun, problems } = await gatherHeads(folder, root, repository);
    expect(problems).toEqual([]);
    expect([...byRun.keys()].sort()).toEqual(["run_0", "run_1", "run_2", "run_3"]);
    for (const heads of byRun.values()) expect(heads.filter(({ pin }) => pin !== undefined)).toHaveLength(1);
  });

  it("never stop a run: what cannot be signed is reported", async () => {
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, "in the way");
    const { dir: root } = makeRepository({ "a.txt": "a\n" });
    const sealer = createSealer({ folder, root, repository: requireRepository(root), clock });
    sealer.sign(createSayings()("run_created"));
    expect((await sealer.settle()).length).toBeGreaterThan(0);
  });
});

it("the heads of ten thousand runs are judged, and a later time is found for a mark of a person", () => {
  const key = userKey(folder);
  const at = (seq: number) => ({ run, seq, at: seq, head: `hash ${seq}`, place: "@1:1" });
  const gone = signHead(key, { ...at(1), at: 400_000, mark: "gone" });
  const one = signHead(key, at(1));
  const heads = Array.from({ length: 300_000 }, (_, index) => ({ ...one, seq: index + 1, at: index + 1 }));
  expect(afterAll({ byRun: new Map([[run, heads]]) }, 7)).toBe(300_001);
  expect(afterAll({ byRun: new Map() }, 7)).toBe(7);
  expect(judgeHeads([...heads, gone], key, undefined)).toBeUndefined();
  const marks = heads.map((head) => ({ ...head, key: "another" }));
  expect(judgeHeads([...marks, gone], key, undefined)).toBeUndefined();
});
