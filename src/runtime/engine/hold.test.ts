import { expect, it } from "vitest";
import { FailureError, type Lease, type Leases } from "../../core/contract/index.ts";
import { hold } from "./hold.ts";
import type { EnginePorts } from "./ports.ts";

const owner = { pid: 1, startedAt: "now", host: "here" };
const lease: Lease = { runId: "run_000000", token: 7, owner, expiresAt: 1 };

/** Only what holding a run touches; the beat is struck by hand, and over when this resolves. */
async function holding(renew: () => Promise<boolean>) {
  let beat = () => {};
  const released: number[] = [];
  const leases: Leases = {
    acquire: () => Promise.resolve({ ok: true, lease }),
    renew,
    release: (_, token) => Promise.resolve(void released.push(token)),
    holder: () => Promise.resolve(lease),
    fence: () => Promise.resolve("done"),
  };
  const timers = {
    every: (_: number, callback: () => void) => ((beat = callback), () => {}),
    sleep: async () => {},
  };
  const ports = { leases, timers, owner, clock: { now: () => 0 } } as unknown as EnginePorts;
  const held = await hold(ports, lease.runId, 0);
  const beats: boolean[] = [];
  const faults: unknown[] = [];
  held.onBeat = () => void beats.push(!held.lost);
  held.onFault = (error) => void faults.push(error);
  const strike = async () => {
    beat();
    await new Promise(setImmediate);
  };
  return { held, beats, faults, released, strike };
}

it("a disk that is full at a beat does not end the process, and the lease stays ours", async () => {
  let full = true;
  const { beats, strike, held, released } = await holding(() =>
    full ? Promise.reject(new FailureError({ code: "store_full", message: "full" })) : Promise.resolve(true),
  );
  await strike();
  full = false;
  await strike();
  expect(beats).toEqual([true, true]);
  await held.release();
  expect(released).toEqual([7]);
});

it("a lease that was taken over is known at the next beat, stays lost and is not given back", async () => {
  const answers = [true, false, true];
  const { beats, strike, held, released } = await holding(() => Promise.resolve(answers.shift() ?? true));
  for (let count = 0; count < 3; count++) await strike();
  expect(beats).toEqual([true, false, false]);
  await held.release();
  expect(released).toEqual([]);
});

it("a bug at a beat is not hidden", async () => {
  const { strike, faults } = await holding(() => Promise.reject(new TypeError("a bug")));
  await strike();
  expect(faults).toEqual([new TypeError("a bug")]);
});

it("a beat that takes longer than the next one is not overtaken, and letting go waits for it", async () => {
  const open: ((ours: boolean) => void)[] = [];
  const { strike, held, released, beats } = await holding(() => new Promise((resolve) => open.push(resolve)));
  await strike();
  await strike();
  expect(open).toHaveLength(1);
  const letGo = held.release();
  await new Promise(setImmediate);
  expect(released).toEqual([]);
  open[0]?.(true);
  await letGo;
  expect([beats, released]).toEqual([[true], [7]]);
});
