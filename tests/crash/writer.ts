// The program the crash tests run and kill: does the scripted work in three sessions, one line for each durable event.
import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../src/core/contract/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { advanceAll, clock, failureCode, step, targets, type Ack } from "./script.ts";

const dir = process.argv[2] ?? "";

function acknowledge(ack: Ack): void {
  writeSync(1, `${JSON.stringify(ack)}\n`);
}

let current: Store | undefined;

function open(): Store {
  current = undefined;
  return (current = openStore(dir, { clock }));
}

async function sessions(): Promise<void> {
  const first = open();
  for (let count = 0; count < 2; count++) await step(first, "run_aaaaaa", targets.run_aaaaaa, acknowledge);
  await first.close();

  const second = open();
  await step(second, "run_bbbbbb", targets.run_bbbbbb, acknowledge);
  restartWal();
  await step(second, "run_aaaaaa", targets.run_aaaaaa, acknowledge);
  await second.close();

  const third = open();
  await advanceAll(third, acknowledge);
  await third.close();
}

/** A log that was copied into the main file is begun anew from its start: the next appends overwrite old frames. */
function restartWal(): void {
  try {
    const helper = new DatabaseSync(join(dir, "store.db"), { timeout: 5_000 });
    helper.exec("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(RESTART)");
    helper.close();
  } catch (error) {
    writeSync(2, `no restart: ${String(error)}\n`);
  }
}

/** A full disk may have room again and the work goes on; after an I/O error only a new process may. */
async function attempt(tries: number): Promise<void> {
  try {
    return await sessions();
  } catch (error) {
    const code = failureCode(error);
    if (code === undefined) throw error;
    writeSync(2, `failed ${code}\n`);
    if (code === "store_full" && tries > 1) return await attempt(tries - 1);
    process.exitCode = 3;
    if (code === "store_io" && current) await refusesFromNowOn(current);
  }
}

/** A handle that has seen an I/O error must not write again, even when the disk would let it. */
async function refusesFromNowOn(store: Store): Promise<void> {
  try {
    await step(store, "run_aaaaaa", 1_000, acknowledge);
  } catch (error) {
    if (failureCode(error) === "store_io") return;
    throw error;
  }
  throw new Error("the handle was used again after an I/O error");
}

await attempt(2);
