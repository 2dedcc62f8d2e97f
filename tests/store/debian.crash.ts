// The contract of the store's ports on the PostgreSQL of Debian, beside the one of npm that the usual tests have.
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { openSharedStore } from "../../src/platform/store/postgres/index.ts";
import { debianPrograms, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { storePortsSuite } from "./ports-suite.ts";

const programs = debianPrograms();

describe.skipIf("missing" in programs)("on the server of Debian", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ durable: true, programs });
  }, 120_000);
  afterAll(() => server.remove());

  storePortsSuite("[B-22] the shared store", async (clock) => {
    const url = await server.database();
    const folder = tempFolder("debian-");
    let handles = 0;
    return {
      open: () => openSharedStore({ url, cacheDir: join(folder, String((handles += 1))), now: () => clock.now() }),
    };
  });
});
