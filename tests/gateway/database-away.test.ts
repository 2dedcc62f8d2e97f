// PostgreSQL that is away for a while: the gateway stays, refuses in words, and goes on when it is back.
import process from "node:process";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { callTool, endReplica, ledgerOf, startReplica } from "./support/replicas.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  process.env["THEHOOD_REPLICA_DATABASE"] = await server.database();
}, 120_000);
afterAll(async () => {
  delete process.env["THEHOOD_REPLICA_DATABASE"];
  await server.remove();
});

it("[B-30] a database that is away ends no gateway, and a call that was refused meanwhile takes effect once", async () => {
  const gateway = await startReplica(tempFolder("gateway-away-"), ["work=setup"]);
  onTestFinished(() => endReplica(gateway));
  const commands = { commands: [{ name: "web", command: "npm start" }] };
  const save = (id: string) => callTool(gateway, "work", "save_service_commands", id, commands);
  expect(await save("before")).toMatchObject({ status: 200 });
  const authorization = `Bearer ${gateway.adminToken}`;
  const stream = await fetch(`${gateway.url}/api/sessions/work/events`, { headers: { authorization } });
  await server.stop("SIGINT");
  const refused = { status: 503, body: expect.stringContaining("store_unreachable") as string };
  expect(await Promise.all(["one", "two", "one"].map(save))).toMatchObject([refused, refused, refused]);
  const stopped = await fetch(`${gateway.url}/api/sessions/work/stop`, { method: "POST", headers: { authorization } });
  expect(stopped.status).toBe(503);
  await server.start();
  await expect.poll(async () => (await save("one"))?.status, { timeout: 30_000 }).toBe(200);
  expect(await save("one")).toMatchObject({ status: 200 });
  const calls = await ledgerOf(gateway, "work");
  expect(
    calls.map(({ callId, effects }) => ({ callId, effects })).toSorted((a, b) => a.callId.localeCompare(b.callId)),
  ).toEqual([
    { callId: "before", effects: 1 },
    { callId: "one", effects: 1 },
  ]);
  await stream.body?.cancel();
  expect(gateway.child.exitCode).toBeNull();
});
