// A database for the scenarios of a test file: they find its address in the environment, also in processes that they start.
import process from "node:process";
import { afterAll, beforeAll } from "vitest";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  process.env["THEHOOD_SCENARIO_DATABASE"] = await server.database();
}, 120_000);
afterAll(async () => {
  delete process.env["THEHOOD_SCENARIO_DATABASE"];
  await server.remove();
});
