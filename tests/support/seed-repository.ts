// A repository as many runs leave it, made from one run that really ended: rows of the store, artifacts, loose git
// objects, kept refs, pinned heads and signed heads. The content is small; the counts are those of real runs.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../src/core/contract/index.ts";
import { openStore, sha256 } from "../../src/platform/store/index.ts";
import { seedRuns } from "./seed-runs.ts";

interface Seed {
  readonly dir: string;
  /** The state folder of the user, with the key and the signed heads. */
  readonly state: string;
  readonly runId: string;
  readonly total: number;
}

const headsRef = "refs/thehood/log";
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
  seedGit(dir, copies);
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

/** A kept commit with a tree and a file of its own for each run, and as many pinned heads as the real run has. */
function seedGit(dir: string, copies: readonly string[]): void {
  const base = oneLine(dir, "rev-parse", "HEAD");
  const tip = oneLine(dir, "rev-parse", headsRef);
  const pins = Number(oneLine(dir, "rev-list", "--count", headsRef)) - 1;
  const message = oneLine(dir, "log", "-1", "--format=%B", tip);
  const by = "committer TheHood <thehood@localhost> 1700000000 +0000";
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const lines: string[] = [];
  copies.forEach((copy, index) => {
    lines.push(`commit refs/thehood/keep/${copy}/1\n${by}\n${data(copy)}from ${base}\n`);
    lines.push(`M 100644 inline seeded.txt\n${data(copy)}`);
    for (let pin = 0; pin < pins; pin += 1) {
      const from = index === 0 && pin === 0 ? `from ${tip}\n` : "";
      lines.push(`commit ${headsRef}\n${by}\n${data(`${copy} ${pin}\n\n${message}`)}${from}`);
    }
  });
  const settings = ["-c", "fastimport.unpackLimit=100000000", "-c", "core.fsync=none"];
  execFileSync("git", [...settings, "fast-import", "--quiet"], { cwd: dir, input: lines.join("") });
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
