// A repository as many runs leave it, made from one run that really ended: rows of the store, artifacts, loose git
// objects, kept refs, pinned heads and signed heads. The content is small; the counts are those of real runs.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/core/contract/index.ts";
import {
  idOf,
  packOf,
  printCommit,
  printTree,
  requireRepository,
  type NewObject,
} from "../../src/platform/git/index.ts";
import { holderOf } from "../../src/workspace/checkout/worktree/held-commits.ts";
import { headsRef, readState } from "../../src/workspace/evidence/log-heads/read-records.ts";
import { addRecord, nextNumber, type RecordState } from "../../src/workspace/evidence/log-heads/records.ts";
import { openStore, sha256 } from "../../src/platform/store/index.ts";
import { seedRuns } from "./seed-runs.ts";

interface Seed {
  readonly dir: string;
  /** The state folder of the user, with the key and the signed heads. */
  readonly state: string;
  readonly runId: string;
  readonly total: number;
}

/** Of the ids of the repository. */
const length = 40;
const oneLine = (dir: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: dir, encoding: "utf8" }).trim();

export async function seedRepository({ dir, state, runId, total }: Seed): Promise<void> {
  const copies = await seedRuns(dir, runId, total);
  const home = realpathSync(join(dir, ".thehood"));
  const store = openStore<RunEvent>(home, { clock: { now: () => Date.now() } });
  const events = await store.log.read(runId);
  await store.close();
  const named = new Set([...JSON.stringify(events).matchAll(/sha256:[0-9a-f]{64}/g)].map(([ref]) => ref)).size;
  seedArtifacts(join(home, "artifacts"), copies, named);
  await seedGit(dir, copies);
  seedHeads(state, runId, copies);
}

function seedArtifacts(root: string, copies: readonly string[], each: number): void {
  for (const copy of copies)
    for (let number = 0; number < each; number += 1) {
      const text = `${copy} ${number}\n`;
      const name = sha256(Buffer.from(text));
      mkdirSync(join(root, name.slice(0, 2)), { recursive: true, mode: 0o700 });
      writeFileSync(join(root, name.slice(0, 2), name.slice(2)), text, { mode: 0o600 });
    }
}

/** Kept work with a tree and a file of its own for each run, and as many pinned heads as the real run has. */
async function seedGit(dir: string, copies: readonly string[]): Promise<void> {
  const repository = requireRepository(dir);
  const base = oneLine(dir, "rev-parse", "HEAD");
  const found = await readState(repository);
  const pins = found ? nextNumber(found.rows) - 1 : 0;
  const last = oneLine(dir, "cat-file", "blob", `${headsRef}:last`);
  const message = last.slice(last.indexOf("\n\n") + 2);
  const objects: NewObject[] = [];
  const refs = [`update refs/thehood/parent/${base} ${base}\n`];
  let state: RecordState = found ?? { root: undefined, rows: [], chain: undefined, last: undefined };
  const text = (bytes: string): NewObject => ({ type: "blob", bytes: Buffer.from(bytes) });
  for (const copy of copies) {
    const tree = printTree([{ mode: "100644", name: "seeded.txt", id: idOf(text(copy), length) }]);
    const about = { tree: idOf(tree, length), parents: [base], at: 1_700_000_000, message: copy };
    const holder = holderOf([printCommit(about)], [base], length);
    objects.push(text(copy), tree, ...holder.objects);
    refs.push(
      `update refs/thehood/commit/${copy}/1 ${holder.id}\n`,
      `update refs/thehood/keep/${copy}/1 ${about.tree}\n`,
    );
    for (let pin = 0; pin < pins; pin += 1) {
      const parents = state.last === undefined ? [] : [state.last];
      const added = addRecord(
        state,
        printCommit({ ...about, parents, message: `${copy} ${pin}\n\n${message}` }),
        length,
      );
      // Of the trees only the last one counts, and those that hold what has moved into them.
      objects.push(...added.objects.slice(0, -1), ...(pin === pins - 1 ? added.objects.slice(-1) : []));
      state = added.state;
    }
  }
  if (state.root !== undefined) refs.push(`update ${headsRef} ${state.root}\n`);
  const run = (input: Uint8Array | string, ...args: string[]) =>
    execFileSync("git", ["-c", "core.fsync=none", ...args], { cwd: dir, input });
  run(packOf(objects, length), "unpack-objects", "-q");
  run(refs.join(""), "update-ref", "--stdin");
}

/** The signatures are not those of the copies: only the size of the file counts here. */
function seedHeads(state: string, runId: string, copies: readonly string[]): void {
  const folder = join(state, "evidence", "heads");
  for (const name of readdirSync(folder)) {
    const own = readFileSync(join(folder, name), "utf8");
    if (!own.includes(runId)) continue;
    for (const copy of copies) appendFileSync(join(folder, name), own.replaceAll(runId, copy));
  }
}
