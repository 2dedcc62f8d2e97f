// The program the crash tests run and kill: does the scripted work in three sessions, one line for each durable event.
import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../src/contract/index.ts";
import { openStore } from "../../src/store/index.ts";
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

function sessions(): void {
  const first = open();
  for (let count = 0; count < 2; count++) step(first, "run_aaaaaa", targets.run_aaaaaa, acknowledge);
  first.close();

  const second = open();
  step(second, "run_bbbbbb", targets.run_bbbbbb, acknowledge);
  restartWal();
  step(second, "run_aaaaaa", targets.run_aaaaaa, acknowledge);
  second.close();

  const third = open();
  advanceAll(third, acknowledge);
  third.close();
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
function attempt(tries: number): void {
  try {
    return sessions();
  } catch (error) {
    const code = failureCode(error);
    if (code === undefined) throw error;
    writeSync(2, `failed ${code}\n`);
    if (code === "store_full" && tries > 1) return attempt(tries - 1);
    process.exitCode = 3;
    if (code === "store_io" && current) refusesFromNowOn(current);
  }
}

/** A handle that has seen an I/O error must not write again, even when the disk would let it. */
function refusesFromNowOn(store: Store): void {
  try {
    step(store, "run_aaaaaa", 1_000, acknowledge);
  } catch (error) {
    if (failureCode(error) === "store_io") return;
    throw error;
  }
  throw new Error("the handle was used again after an I/O error");
}

attempt(2);
