// The shared store in trouble: cut lines, restarts, wrong addresses, missing rights, other teams, altered rows.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FailureError, type Failure, type Store } from "../../src/core/contract/index.ts";
import { openSharedStore, type SharedStoreOptions } from "../../src/platform/store/postgres/index.ts";
import { migrations } from "../../src/platform/store/postgres/schema.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { objectServer } from "../support/object-server.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { loseAnswers } from "./lost-answers.ts";
import { waitUntil } from "../support/wait-until.ts";

const run = "run_000000";
const about = { kind: "log", mediaType: "text/plain", summary: "output" } as const;
const row = { runId: run, createdAt: 1, goal: "g", mode: "goal", state: "created", brief: null };
const owner = { pid: 1, startedAt: "then", host: "elsewhere" };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.remove());

const options = (url: string, more: Partial<SharedStoreOptions> = {}): SharedStoreOptions => ({
  url,
  cacheDir: join(tempFolder("shared-"), "cache"),
  ...more,
});
const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error("no failure")),
    (error: unknown) => (error instanceof FailureError ? error.failure : Promise.reject(error)),
  );
const withStore = async (made: SharedStoreOptions, use: (store: Store) => Promise<void>): Promise<void> => {
  const store = await openSharedStore(made);
  try {
    await use(store);
  } finally {
    await store.close();
  }
};
const append = (store: Store, seq: number, more = {}) =>
  store.log.append({ runId: run, expectedSeq: seq, at: 5 + seq, events: [{ n: seq }], row, ...more });

describe("[B-22] an append whose answer is lost", () => {
  it("is resolved by its hash: nothing is lost and nothing is written twice", () => loseAnswers(server, 120));

  it("is a conflict for the other of two writers, also when both lines are cut", async () => {
    const url = await server.database();
    const proxy = await cuttingProxy(server.port);
    const through = options(url.replace(`:${server.port}`, `:${proxy.port}`));
    await withStore(through, async (one) => {
      await withStore(through, async (other) => {
        proxy.cutEvery(2, ".append(");
        for (let seq = 0; seq < 20; seq += 1) {
          const tries = [append(one, seq, { events: ["one"] }), append(other, seq, { events: ["other"] })];
          expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1);
        }
        proxy.cutEvery(0, "");
        expect(await one.log.head(run)).toMatchObject({ seq: 20 });
      });
    });
    await proxy.remove();
  });

  it("leaves a lease that was made with its maker", async () => {
    const url = await server.database();
    const proxy = await cuttingProxy(server.port);
    await withStore(options(url.replace(`:${server.port}`, `:${proxy.port}`)), async (store) => {
      proxy.cutEvery(1, ".acquire(");
      const asked = store.leases.acquire(run, owner, 60_000);
      await waitUntil(() => proxy.cuts() > 0, "the connection is cut", { every: 5 });
      proxy.cutEvery(0, "");
      expect(await asked).toMatchObject({ ok: true, lease: { token: 1 } });
      expect((await store.leases.acquire(run, { ...owner, pid: 2 }, 60_000)).ok).toBe(false);
    });
    await proxy.remove();
  });
});

describe("[B-22] a server that goes and comes", () => {
  it("is waited for: what was acknowledged is there, and the next append goes on", async () => {
    const url = await server.database();
    await withStore(options(url), async (store) => {
      await append(store, 0);
      const ref = await store.artifacts.put("kept", about);
      await server.stop("SIGQUIT");
      const late = append(store, 1);
      await server.start();
      expect(await late).toMatchObject({ ok: true });
      expect(await store.log.read(run)).toHaveLength(2);
      expect(Buffer.from(await store.artifacts.read(ref.ref)).toString()).toBe("kept");
    });
  });

  it("that stays away is reported with its address and without its password", async () => {
    const failure = await failureOf(
      openSharedStore(options(["postgres://me", "hidden-word@127.0.0.1:1/x"].join(":"), { patience: 100 })),
    );
    expect(failure).toMatchObject({ code: "store_unreachable" });
    expect(JSON.stringify(failure)).not.toContain("hidden-word");
    expect(failure.message).toContain("127.0.0.1:1/x");
    expect(failure.remedy).toContain("THEHOOD_DATABASE_URL");
  });
});

describe("[B-22] bad input", () => {
  it.each([
    ["mysql://127.0.0.1/x", "invalid_config"],
    ["not an address", "invalid_config"],
  ])("%s is refused before anything is asked", async (url, code) => {
    expect(await failureOf(openSharedStore(options(url)))).toMatchObject({ code });
  });

  it("a database that is not there, another encoding, a team that is not a name, a server without TLS", async () => {
    const none = server.url.replace(/postgres$/, "nothing_here");
    expect(await failureOf(openSharedStore(options(none)))).toMatchObject({ code: "invalid_config" });
    const latin = await server.database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    expect(await failureOf(openSharedStore(options(latin)))).toMatchObject({ code: "invalid_config" });
    const bad = { team: 'x"; DROP TABLE runs; --' };
    expect(await failureOf(openSharedStore(options(server.url, bad)))).toMatchObject({
      code: "invalid_config",
    });
    const tls = `${server.url}?sslmode=require`;
    expect(await failureOf(openSharedStore(options(tls)))).toMatchObject({ code: "permission_denied" });
  });

  it("a newer schema and a server that can only be read are refused, and nothing is changed", async () => {
    const url = await server.database();
    await withStore(options(url), async () => undefined);
    await server.query("INSERT INTO thehood.migrations (version) VALUES (99)", url);
    for (const mode of ["read", "write"] as const)
      expect(await failureOf(openSharedStore(options(url, { mode })))).toMatchObject({
        code: "store_version",
      });
    const fixed = await server.database();
    await server.query(`ALTER DATABASE ${fixed.split("/").at(-1)} SET default_transaction_read_only = on`);
    expect(await failureOf(openSharedStore(options(fixed)))).toMatchObject({ code: "permission_denied" });
  });

  it("a reader of a database without tables sees an empty store and makes nothing", async () => {
    const url = await server.database();
    await withStore(options(url, { mode: "read" }), async (store) => {
      expect([await store.log.list(), await store.log.count()]).toEqual([[], 0]);
    });
    const sql = "SELECT count(*)::int AS n FROM pg_namespace WHERE nspname LIKE 'thehood%'";
    expect(await server.query(sql, url)).toEqual([{ n: 0 }]);
  });
});

describe("[B-22] the tables", () => {
  it("are made once, by however many processes that start together", async () => {
    const url = await server.database();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openSharedStore(options(url))));
    expect(await server.query("SELECT version FROM thehood.migrations ORDER BY 1", url)).toEqual(
      migrations.map((_, index) => ({ version: index + 1 })),
    );
    for (const store of stores) await store.close();
  });

  it("are append-only for the role that we connect as", async () => {
    const url = await server.database();
    await server.query("CREATE ROLE plain LOGIN");
    await server.query(`GRANT CREATE ON DATABASE ${url.split("/").at(-1)} TO plain`);
    const mine = url.replace("postgres@", "plain@");
    await withStore(options(mine), async (store) => {
      const ref = await store.artifacts.put("kept", about);
      await append(store, 0, { events: [{ artifact: ref }] });
      for (const sql of [
        "UPDATE thehood.events SET at = 1",
        "DELETE FROM thehood.events",
        "TRUNCATE thehood.events",
        "DELETE FROM thehood.runs",
        "DELETE FROM thehood.artifact_parts",
        "UPDATE thehood.artifacts SET bytes = 0",
      ])
        await expect(server.query(sql, mine), sql).rejects.toThrow(/permission denied|append-only/);
      // The trigger holds where the rights would allow it.
      await expect(server.query("DELETE FROM thehood.events", url)).rejects.toThrow(/append-only/);
      expect((await store.log.verify()).problems).toEqual([]);
    });
  });

  it("that were altered all the same are found by verify and refused by read", async () => {
    const url = await server.database();
    await withStore(options(url), async (store) => {
      const ref = await store.artifacts.put("kept", about);
      for (let seq = 0; seq < 3; seq += 1) await append(store, seq, { events: [{ seq, artifact: ref }] });
      const sneak = (sql: string) =>
        server.query(`SET session_replication_role = replica; ${sql}`, url).then(() => undefined);
      await sneak(`UPDATE thehood.events SET event = replace(event, '"seq":1', '"seq":7') WHERE seq = 2`);
      expect((await store.log.verify()).problems).toMatchObject([{ kind: "chain", seq: 2 }]);
      expect(await failureOf(store.log.read(run))).toMatchObject({ code: "store_corrupt" });
      await sneak(`UPDATE thehood.events SET event = replace(event, '"seq":7', '"seq":1') WHERE seq = 2`);
      expect((await store.log.verify()).problems).toEqual([]);
      await sneak("DELETE FROM thehood.events WHERE seq = 3; DELETE FROM thehood.artifacts");
      const kinds = (await store.log.verify()).problems.map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(["row", "artifact_missing"]));
    });
  });
});

describe("[B-22] two teams on one server", () => {
  it("cannot read or write each other's runs, whatever they ask", async () => {
    const url = await server.database();
    const name = url.split("/").at(-1) ?? "";
    for (const team of ["red", "blue"])
      await server.query(`CREATE ROLE ${team} LOGIN; GRANT CREATE ON DATABASE ${name} TO ${team}`);
    const of = (team: string) => options(url.replace("postgres@", `${team}@`), { team });
    await withStore(of("red"), async (red) => {
      await append(red, 0, { events: ["of the red team"] });
      await withStore(of("blue"), async (blue) => {
        expect(await blue.log.list()).toEqual([]);
        expect(await blue.log.read(run)).toEqual([]);
      });
    });
    const stolen = { ...of("blue"), team: "red" };
    expect(await failureOf(openSharedStore(stolen))).toMatchObject({ code: "permission_denied" });
    await expect(server.query("SELECT * FROM thehood_red.events", url.replace("postgres@", "blue@"))).rejects.toThrow(
      /permission denied/,
    );
  });

  it("and two repositories of one team see their own runs only", async () => {
    const url = await server.database();
    await withStore(options(url, { repo: "host/one" }), async (one) => {
      await append(one, 0);
      await withStore(options(url, { repo: "host/two" }), async (two) => {
        expect([await two.log.list(), await two.log.row(run), await two.log.count()]).toEqual([[], undefined, 0]);
      });
      await withStore(options(url), async (all) => expect(await all.log.count()).toBe(1));
    });
  });
});

describe("[B-22] artifacts", () => {
  it("of many parts come back whole on another machine, and a damaged cache is fetched again", async () => {
    const url = await server.database();
    const bytes = Buffer.alloc(2_500_000, "0123456789abcdef\n");
    const mine = options(url);
    await withStore(mine, async (store) => {
      const { ref } = await store.artifacts.put(bytes, about);
      await withStore(options(url), async (elsewhere) => {
        expect(Buffer.from(await elsewhere.artifacts.read(ref)).equals(bytes)).toBe(true);
        const { bytes: part, total } = await elsewhere.artifacts.slice(ref, 1_048_570, 12);
        expect([Buffer.from(part).toString(), total]).toEqual([
          bytes.subarray(1_048_570, 1_048_582).toString(),
          2_500_000,
        ]);
      });
      const name = ref.slice(7);
      const { writeFileSync } = await import("node:fs");
      writeFileSync(join(mine.cacheDir, name.slice(0, 2), name.slice(2)), "cut");
      expect(Buffer.from(await store.artifacts.read(ref)).equals(bytes)).toBe(true);
    });
  });

  it("may lie in S3-compatible storage: signed, verified, and refused clearly without a key", async () => {
    const url = await server.database();
    const storage = await objectServer();
    const variables = {
      AWS_ACCESS_KEY_ID: "key",
      AWS_SECRET_ACCESS_KEY: "word",
      AWS_ENDPOINT_URL: storage.url,
    };
    const there = { artifacts: "s3://bucket/some/place", variables };
    await withStore(options(url, there), async (store) => {
      const artifact = await store.artifacts.put("kept", about);
      await append(store, 0, { events: [{ artifact }] });
      expect([...storage.objects.keys()]).toEqual([`/bucket/some/place/${artifact.ref.slice(7)}`]);
      await withStore(options(url, there), async (elsewhere) => {
        expect(Buffer.from(await elsewhere.artifacts.read(artifact.ref)).toString()).toBe("kept");
        expect(await elsewhere.log.verify()).toMatchObject({ artifacts: 1, problems: [] });
        storage.objects.set([...storage.objects.keys()][0] ?? "", Buffer.from("other"));
        expect((await elsewhere.log.verify()).problems).toMatchObject([{ kind: "artifact_altered" }]);
      });
    });
    await withStore(options(url, there), async (store) => {
      storage.breakLines(3);
      const late = await store.artifacts.put("an answer that was paid for", about);
      expect(storage.objects.has(`/bucket/some/place/${late.ref.slice(7)}`)).toBe(true);
    });
    const without = { ...there, variables: {} };
    expect(await failureOf(openSharedStore(options(url, without)))).toMatchObject({ code: "invalid_config" });
    const wrong = { ...there, variables: { ...variables, AWS_ACCESS_KEY_ID: "other" } };
    await withStore(options(url, wrong), async (store) => {
      expect(await failureOf(store.artifacts.put("x", about))).toMatchObject({ code: "permission_denied" });
    });
    await storage.remove();
  });
});
