import { expect, it } from "vitest";
import { FailureError, type Lease, type Leases } from "../contract/index.ts";
import { hold } from "./hold.ts";
import { Stop } from "./stop.ts";
import type { RunsWorld } from "./world.ts";

const owner = { pid: 1, startedAt: "now", host: "here" };
const lease: Lease = { runId: "run_000000", token: 7, owner, expiresAt: 1 };

/** Only what holding a run touches; the beat is struck by hand. */
async function holding(renew: Leases["renew"]) {
  let beat = () => {};
  const released: number[] = [];
  const leases: Leases = {
    acquire: () => ({ ok: true, lease }),
    renew,
    release: (_, token) => void released.push(token),
    holder: () => lease,
  };
  const timers = {
    every: (_: number, callback: () => void) => ((beat = callback), () => {}),
    sleep: async () => {},
  };
  const world = { leases, timers, owner, clock: { now: () => 0 } } as unknown as RunsWorld;
  const held = await hold(world, lease.runId, 0, new Stop());
  const beats: boolean[] = [];
  held.onBeat = () => void beats.push(!held.lost);
  return { held, beats, released, strike: () => beat() };
}

it("a disk that is full at a beat does not end the process, and the lease stays ours", async () => {
  let full = true;
  const { beats, strike, held, released } = await holding(() => {
    if (full) throw new FailureError({ code: "store_full", message: "full" });
    return true;
  });
  strike();
  full = false;
  strike();
  expect(beats).toEqual([true, true]);
  held.release();
  expect(released).toEqual([7]);
});

it("a lease that was taken over is known at the next beat, stays lost and is not given back", async () => {
  const answers = [true, false, true];
  const { beats, strike, held, released } = await holding(() => answers.shift() ?? true);
  for (let count = 0; count < 3; count++) strike();
  expect(beats).toEqual([true, false, false]);
  held.release();
  expect(released).toEqual([]);
});

it("a bug at a beat is not hidden", async () => {
  const { strike } = await holding(() => {
    throw new TypeError("a bug");
  });
  expect(strike).toThrow("a bug");
});
