// The shared store keeps the contract of the ports on a real PostgreSQL server.
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { storePortsSuite } from "./ports-suite.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());

storePortsSuite("[B-22] the shared store", async (clock) => {
  const url = await server.database();
  const folder = tempFolder("shared-");
  let handles = 0;
  return {
    // Each handle has a cache of its own, as each machine would.
    open: () => openSharedStore({ url, cacheDir: join(folder, String((handles += 1))), now: () => clock.now() }),
  };
});
