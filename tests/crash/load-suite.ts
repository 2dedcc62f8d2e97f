// Processes that work at the same time and die at any moment: no event lost, none twice, one owner at a time.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../src/core/contract/index.ts";
import { openStore, thisProcess } from "../../src/platform/store/index.ts";
import { acksIn, dropWorld, newWorld } from "./checker.ts";
import { packProgram } from "./harness/index.ts";
import { clock, type Ack } from "./script.ts";

const runId = "run_aaaaaa";
const program = await packProgram(join(import.meta.dirname, "load-writer.ts"));

interface Writer {
  readonly pid: number;
  readonly firstAck: Promise<void>;
  readonly ended: Promise<{ acks: Ack[]; stderr: string; exitCode: number | null }>;
  kill(): void;
}

function startWriter(dir: string, manner: "lease" | "race", limit?: number): Writer {
  const args = [program, dir, runId, manner, ...(limit === undefined ? [] : [String(limit)])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  let told = () => {};
  const firstAck = new Promise<void>((resolve) => (told = resolve));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    told();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<{ acks: Ack[]; stderr: string; exitCode: number | null }>((resolve) =>
    child.on("close", (exitCode) => {
      told();
      resolve({ acks: acksIn(stdout), stderr, exitCode });
    }),
  );
  return { pid: child.pid ?? 0, firstAck, ended, kill: () => child.kill("SIGKILL") };
}

interface LoadEvent {
  readonly by: number;
  readonly token: number;
}

/** Acknowledged events of this round are there; the chain from before them to the end is whole. */
async function expectHeld(dir: string, acks: readonly Ack[]): Promise<StoredEvent<LoadEvent>[]> {
  const store = openStore<LoadEvent>(dir, { clock, mode: "read" });
  const from = Math.min(...acks.map((ack) => ack.seq));
  const events = await store.log.read(runId, Number.isFinite(from) ? from : 1);
  const hashes = new Map(events.map((event) => [event.seq, event.hash]));
  expect(acks.filter((ack) => hashes.get(ack.seq) !== ack.hash)).toEqual([]);
  await store.close();
  return events;
}

async function expectVerified(dir: string): Promise<void> {
  const store = openStore(dir, { clock, mode: "read" });
  expect((await store.log.verify()).problems).toEqual([]);
  await store.close();
}

export function loadSuite({ kills, appends }: { kills: number; appends: number }): void {
  describe("under load", () => {
    it(`${kills} random kill -9 lose no acknowledged event and leave no lease behind`, async () => {
      const { deps } = newWorld();
      let acknowledged = 0;
      for (let round = 0; round < kills; round++) {
        const writer = startWriter(deps.dir, "lease");
        await writer.firstAck;
        await new Promise((resolve) => setTimeout(resolve, randomInt(40)));
        writer.kill();
        const { acks, stderr } = await writer.ended;
        expect(stderr).toBe("");
        acknowledged += acks.length;
        await expectHeld(deps.dir, acks);
      }
      await expectVerified(deps.dir);
      expect(acknowledged).toBeGreaterThan(kills);
      dropWorld(deps);
    });

    it("four processes that make one store and append to one run: one winner for each place, no place twice", async () => {
      const { deps } = newWorld();
      const writers = Array.from({ length: 4 }, () => startWriter(deps.dir, "race", appends));
      const ended = await Promise.all(writers.map((writer) => writer.ended));
      expect(ended.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
        Array.from({ length: 4 }, () => ({ exitCode: 0, stderr: "" })),
      );
      const acks = ended.flatMap((writer) => writer.acks);
      const events = await expectHeld(deps.dir, acks);
      expect(new Set(acks.map((ack) => ack.seq)).size).toBe(acks.length);
      expect(events.map((event) => event.seq)).toEqual(acks.map((ack) => ack.seq).sort((a, b) => a - b));
      const winners = new Map(ended.flatMap(({ acks }, index) => acks.map((ack) => [ack.seq, writers[index]?.pid])));
      expect(events.filter((event) => event.event.by !== winners.get(event.seq))).toEqual([]);
      await expectVerified(deps.dir);
      dropWorld(deps);
    });

    it("[R-71] four processes that share a run by lease: tokens only grow, and a killed owner is replaced at once", async () => {
      const { deps } = newWorld();
      const writers = Array.from({ length: 4 }, () => startWriter(deps.dir, "lease", appends));
      await Promise.all(writers.map((writer) => writer.firstAck));
      writers[0]?.kill();
      const ended = await Promise.all(writers.map((writer) => writer.ended));
      expect(ended.slice(1).map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
        Array.from({ length: 3 }, () => ({ exitCode: 0, stderr: "" })),
      );
      const events = await expectHeld(
        deps.dir,
        ended.flatMap((writer) => writer.acks),
      );
      const owner = new Map<number, number>();
      for (const { event } of events) {
        expect(owner.get(event.token) ?? event.by).toBe(event.by);
        owner.set(event.token, event.by);
      }
      const tokens = events.map(({ event }) => event.token);
      expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
      await expectVerified(deps.dir);
      dropWorld(deps);
    });

    it("a run held by a living process stays its own; when it is killed the next one takes over at once", async () => {
      const { deps } = newWorld();
      const store = openStore(deps.dir, { clock: { now: () => clock.now() + 86_400_000 } });
      const writer = startWriter(deps.dir, "lease");
      await writer.firstAck;
      const holders = new Set<number>();
      for (let look = 0; look < 200; look++) {
        const holder = await store.leases.holder(runId);
        if (holder) holders.add(holder.owner.pid);
      }
      expect([...holders]).toEqual([writer.pid]);
      writer.kill();
      await writer.ended;
      const taken = await store.leases.acquire(runId, thisProcess(), 1_000);
      expect(taken.ok).toBe(true);
      await store.close();
      dropWorld(deps);
    });
  });
}
