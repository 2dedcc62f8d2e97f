// The gateway's store on a real PostgreSQL server: the same suite, and two gateways that are asked by many at once.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { GatewayStore } from "../../src/gateway/store/index.ts";
import { openSharedGatewayStore } from "../../src/gateway/store/postgres/index.ts";
import { thisProcess } from "../../src/platform/system/index.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { configuration, session, storeSuite } from "./store-suite.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());

const me = thisProcess();

async function opened(url: string, pid: number, startedAt: string): Promise<GatewayStore> {
  const cacheDir = join(tempFolder("gateway-cache-"), "artifacts");
  const store = await openSharedGatewayStore({ url, cacheDir }, { ...me, pid, startedAt });
  onTestFinished(() => store.close());
  return store;
}

describe("[B-22] the gateway's store on PostgreSQL", () => {
  storeSuite(async () => {
    const url = await server.database();
    return {
      one: await opened(url, me.pid, me.startedAt),
      // The same living process under another name.
      two: await opened(url, me.pid, "unknown"),
      dead: await opened(url, 2 ** 30, "long ago"),
    };
  });

  it("two stores, 50 duplicates of each of 8 calls, every ninth answer cut: one effect a call", async () => {
    const proxy = await cuttingProxy(server.port);
    const url = (await server.database()).replace(`:${server.port}`, `:${proxy.port}`);
    const stores = [await opened(url, me.pid, me.startedAt), await opened(url, me.pid, "unknown")];
    const [one] = stores as [GatewayStore];
    await one.addConfiguration(configuration("c"));
    await one.addSession(session("s", { configurationId: "c" }));
    proxy.cutEvery(9, "COMMIT");
    for (let key = 0; key < 8; key += 1) {
      const effect = { kind: "service_commands", commands: [{ name: `n${key}`, command: "true" }] } as const;
      const call = { sessionId: "s", callId: `k${key}`, tool: "save_service_commands", argsHash: "h" };
      const asked = { ...call, now: 1_000, leaseUntil: 2_000 };
      const ends = await Promise.all(
        Array.from({ length: 25 }, () => stores.map((store) => store.perform(asked, effect))).flat(),
      );
      const results = new Set(ends.map((end) => JSON.stringify("result" in end ? end.result : end)));
      expect([...results]).toHaveLength(1);
      expect(ends.filter((end) => end.kind === "done").length).toBeLessThan(2);
    }
    expect(proxy.cuts()).toBeGreaterThan(5);
    proxy.cutEvery(0, "");
    const rows = await one.invocations("s");
    expect(rows).toHaveLength(8);
    expect(rows.filter(({ effects, attempts }) => effects !== 1 || attempts !== 1)).toEqual([]);
    await proxy.remove();
  });

  it("numbers events once when answers are cut", async () => {
    const proxy = await cuttingProxy(server.port);
    const url = (await server.database()).replace(`:${server.port}`, `:${proxy.port}`);
    const store = await opened(url, me.pid, me.startedAt);
    proxy.cutEvery(3, "COMMIT");
    for (let n = 0; n < 20; n += 1) await store.appendEvents("s", [{ at: n, type: "message", data: { n } }]);
    proxy.cutEvery(0, "");
    expect((await store.events("s", 0, 1_000)).map(({ seq, data }) => [seq, data["n"]])).toEqual(
      Array.from({ length: 20 }, (_, n) => [n + 1, n]),
    );
    await proxy.remove();
  });
});
