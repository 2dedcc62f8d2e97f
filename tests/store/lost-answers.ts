// Appends whose answers are cut on the line, one in two: each is written once.
import { join } from "node:path";
import { expect } from "vitest";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import type { PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";

const runId = "run_000000";
const row = { runId, createdAt: 1, goal: "g", mode: "goal", state: "created", brief: null };

export async function loseAnswers(server: PostgresServer, appends: number): Promise<void> {
  const url = await server.database();
  const proxy = await cuttingProxy(server.port);
  const store = await openSharedStore({
    url: url.replace(`:${server.port}`, `:${proxy.port}`),
    cacheDir: join(tempFolder("lost-"), "cache"),
  });
  const owner = { pid: 1, startedAt: "then", host: "elsewhere" };
  const taken = await store.leases.acquire(runId, owner, 3_600_000);
  if (!taken.ok) throw new Error("taken");
  const lease = taken.lease.token;
  proxy.cutEvery(2, ".append(");
  for (let seq = 0; seq < appends; seq += 1) {
    const request = { runId, expectedSeq: seq, at: 5 + seq, events: [{ n: seq }], row, lease };
    expect(await store.log.append(request)).toMatchObject({ ok: true });
  }
  // Every second statement is cut, and a repeated one counts as well.
  expect(proxy.cuts()).toBeGreaterThanOrEqual(appends / 2);
  proxy.cutEvery(0, "");
  expect((await store.log.read(runId)).map(({ event }) => event)).toEqual(
    Array.from({ length: appends }, (_, n) => ({ n })),
  );
  expect((await store.log.verify()).problems).toEqual([]);
  await store.close();
  await proxy.remove();
}
