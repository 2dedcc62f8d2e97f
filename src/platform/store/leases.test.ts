import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import type { Store } from "../../core/contract/index.ts";
import { identityOf } from "../system/index.ts";
import { openStore, thisProcess } from "./index.ts";
import { removeFolder } from "../../../tests/support/remove-folder.ts";

const runId = "run_000000";
const elsewhere = { pid: 7, startedAt: "then", host: "another host" };
let folder: string;
let now = 1_000;
let store: Store;

beforeEach(() => {
  folder = tempFolder("store-");
  now = 1_000;
  store = openStore(join(folder, "s"), { clock: { now: () => now } });
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

describe("a lease", () => {
  it("of a process on another host holds until it expires, and renewing moves that", async () => {
    const first = await store.leases.acquire(runId, elsewhere, 100);
    if (!first.ok) throw new Error("free");
    now += 99;
    expect(await store.leases.acquire(runId, thisProcess(), 100)).toMatchObject({
      ok: false,
      holder: first.lease,
    });
    expect(await store.leases.renew(runId, first.lease.token, 100)).toBe(true);
    now += 99;
    expect((await store.leases.holder(runId))?.owner).toEqual(elsewhere);
    now += 1;
    const second = await store.leases.acquire(runId, thisProcess(), 100);
    expect(second).toMatchObject({ ok: true, tookOver: { owner: elsewhere } });
    expect(await store.leases.renew(runId, first.lease.token, 100)).toBe(false);
  });

  it("of a process on this host ends with the process, also when its pid is used again", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    const owner = identityOf(child.pid ?? 0);
    expect((await store.leases.acquire(runId, owner, 1)).ok).toBe(true);
    now += 1_000_000;
    // Late, but alive: taking its run away would let two processes act at once.
    expect((await store.leases.acquire(runId, thisProcess(), 1)).ok).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");
    const taken = await store.leases.acquire(runId, { ...thisProcess(), startedAt: "an earlier life" }, 1_000_000);
    expect(taken).toMatchObject({ ok: true, tookOver: { owner } });
    expect(await store.leases.holder(runId)).toBeUndefined();
    expect(await store.leases.acquire(runId, thisProcess(), 1)).toMatchObject({ ok: true });
  });

  it("given back is free, its token spent, and the next token is greater", async () => {
    const first = await store.leases.acquire(runId, thisProcess(), 100);
    if (!first.ok) throw new Error("free");
    expect((await store.leases.acquire(runId, thisProcess(), 100)).ok).toBe(false);
    await store.leases.release(runId, first.lease.token + 1);
    expect((await store.leases.holder(runId))?.token).toBe(first.lease.token);
    await store.leases.release(runId, first.lease.token);
    expect(await store.leases.holder(runId)).toBeUndefined();
    const second = await store.leases.acquire(runId, thisProcess(), 100);
    expect(second.ok && second.lease.token).toBe(first.lease.token + 1);
    expect(second.ok && second.tookOver).toBeUndefined();
  });

  it("[B-16] of another process is neither renewed nor given back nor passed by a wrong token", async () => {
    const first = await store.leases.acquire(runId, elsewhere, 100);
    if (!first.ok) throw new Error("free");
    now += 100;
    const second = await store.leases.acquire(runId, thisProcess(), 1_000);
    if (!second.ok) throw new Error("expired");
    const { token } = first.lease;
    expect(await store.leases.renew(runId, token, 100)).toBe(false);
    await store.leases.release(runId, token);
    expect((await store.leases.holder(runId))?.token).toBe(second.lease.token);
    let acted = 0;
    expect(await store.leases.fence(runId, token, 0, () => (acted += 1))).toBe("lease_lost");
    expect(await store.leases.fence(runId, second.lease.token, 7, () => (acted += 1))).toBe("moved");
    expect(acted).toBe(0);
    expect(await store.leases.fence(runId, second.lease.token, 0, () => (acted += 1))).toBe("done");
    await store.leases.release(runId, second.lease.token);
    expect(await store.leases.fence(runId, second.lease.token, 0, () => (acted += 1))).toBe("lease_lost");
    expect(acted).toBe(1);
  });
});
