// Power loss: every disk that may be left behind must hold every acknowledged event. With fsync gone, it must not.
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { acksIn, checkAndResume, dropWorld, faultsOf, newWorld, scratch } from "./checker.ts";
import { hasStrace, layDown, powerLossStates, recordDisk, type DiskState, type Recording } from "./harness/index.ts";
import { clock, failureCode } from "./script.ts";
import { removeFolder } from "../support/remove-folder.ts";

const memory = existsSync("/dev/shm") ? "/dev/shm" : scratch;

/** Each state is read; every n-th is also written on, which costs real fsyncs. */
async function faultsAfter(state: DiskState, resume: boolean): Promise<string[]> {
  const folder = join(memory, `thehood-power-${process.pid}`);
  layDown(state, folder);
  const dir = join(folder, ".thehood");
  const acks = acksIn(state.told);
  try {
    if (resume) return await checkAndResume(dir, acks);
    const store = openStore(dir, { clock, mode: "read" });
    const faults = await faultsOf(store, acks);
    await store.close();
    return faults;
  } catch (error) {
    return [`${failureCode(error) ?? "fault"}: ${String(error)}`];
  } finally {
    removeFolder(folder);
  }
}

async function judgeAll(recording: Recording, stride: number): Promise<{ states: number; faults: string[] }> {
  const faults: string[] = [];
  let states = 0;
  for (const state of powerLossStates(recording, stride)) {
    const found = await faultsAfter(state, states % 25 === 0);
    if (found.length > 0) faults.push(`after ${state.after} operations, ${state.why}: ${found[0]}`);
    states += 1;
  }
  return { states, faults };
}

async function record(withoutSync: boolean): Promise<Recording> {
  const { deps, program } = newWorld();
  const root = dirname(deps.dir);
  mkdirSync(root, { recursive: true });
  try {
    return await recordDisk(program, root, { withoutSync });
  } finally {
    dropWorld(deps);
  }
}

export function powerSuite({ stride, atLeast }: { stride: number; atLeast: number }): void {
  describe("a power loss", () => {
    it.skipIf(!hasStrace)(
      "loses no acknowledged event, whatever unsynced bytes and names are lost or cut (needs strace)",
      async () => {
        const { states, faults } = await judgeAll(await record(false), stride);
        expect(faults).toEqual([]);
        expect(states).toBeGreaterThanOrEqual(atLeast);
      },
    );

    it.skipIf(!hasStrace)("is noticed by this very test when fsync does nothing (needs strace)", async () => {
      const recording = await record(true);
      expect(recording.ops.filter((op) => op.op === "sync")).toEqual([]);
      const { states, faults } = await judgeAll(recording, stride * 4);
      expect(faults.length).toBeGreaterThan(states / 4);
      expect(faults.some((fault) => fault.includes("is lost"))).toBe(true);
    });
  });
}
