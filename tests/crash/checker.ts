// What must hold of a store after any crash: it opens, it verifies, it holds every acknowledged event, and it goes on.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Store, StoredEvent } from "../../src/core/contract/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { advanceAll, clock, targets, type Ack, type ScriptEvent } from "./script.ts";
import { packProgram, type Program } from "./harness/index.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface World {
  readonly dir: string;
}

/** Memory where there is some: thousands of stores are made and thrown away. */
export const scratch = mkdtempSync(join(tmpdir(), "thehood-crash-"));
process.on("exit", () => removeFolder(scratch));

const writer = await packProgram(join(import.meta.dirname, "writer.ts"));
let made = 0;

export function newWorld(): { deps: World; program: Program } {
  const dir = join(scratch, `${process.pid}-${made++}`, ".thehood");
  const program: Program = { argv: [process.execPath, writer, dir] };
  return { deps: { dir }, program };
}

export function dropWorld({ dir }: World): void {
  removeFolder(join(dir, ".."));
}

export function acksIn(stdout: string): Ack[] {
  // A line without its end was cut by the kill; the event it names was durable, but nobody was told so.
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Ack);
}

/** What is wrong with this store, in words; nothing when all promises hold. */
export async function faultsOf(store: Store, acks: readonly Ack[]): Promise<string[]> {
  const faults = (await store.log.verify()).problems.map((problem) => JSON.stringify(problem));
  if (faults.length > 0) return faults;
  const logs = new Map<string, StoredEvent[]>();
  for (const runId of Object.keys(targets)) logs.set(runId, await store.log.read(runId));
  for (const { runId, seq, hash } of acks)
    if (logs.get(runId)?.[seq - 1]?.hash !== hash) faults.push(`acknowledged event ${seq} of ${runId} is lost`);
  for (const [runId, events] of logs)
    for (const { seq, event } of events as StoredEvent<ScriptEvent>[])
      if (event.after + event.index + 1 !== seq) faults.push(`${runId}: event ${seq} stands in the wrong place`);
  return faults;
}

/** Opens the store as the next command would, checks it, and finishes the scripted work on it. */
export async function checkAndResume(dir: string, acks: readonly Ack[]): Promise<string[]> {
  const reader = openStore(dir, { clock, mode: "read" });
  const faults = (await faultsOf(reader, acks)).map((fault) => `reading: ${fault}`);
  await reader.close();
  const store = openStore(dir, { clock });
  faults.push(...(await faultsOf(store, acks)));
  await advanceAll(store, () => {});
  faults.push(...(await faultsOf(store, acks)).map((fault) => `resumed: ${fault}`));
  for (const [runId, head] of Object.entries(await finalHeads()))
    if ((await store.log.head(runId))?.hash !== head) faults.push(`${runId} did not end in the same state`);
  await store.close();
  return faults;
}

let heads: Record<string, string> | undefined;

/** Where the work ends when nothing disturbs it. */
async function finalHeads(): Promise<Record<string, string>> {
  if (heads) return heads;
  const { deps } = newWorld();
  const store = openStore(deps.dir, { clock });
  await advanceAll(store, () => {});
  const found: Record<string, string> = {};
  for (const runId of Object.keys(targets)) found[runId] = (await store.log.head(runId))?.hash ?? "";
  heads = found;
  await store.close();
  dropWorld(deps);
  return heads;
}
