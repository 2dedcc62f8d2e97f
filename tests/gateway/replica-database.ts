// A database that the gateways of a test file share; each process finds its address in the environment.
import process from "node:process";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
beforeEach(async () => {
  process.env["THEHOOD_REPLICA_DATABASE"] = await server.database();
});
afterAll(async () => {
  delete process.env["THEHOOD_REPLICA_DATABASE"];
  await server.remove();
});
