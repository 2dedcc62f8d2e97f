// Databases that cannot be used, met by the real program: a code, a message, a remedy, no password, and nothing lost.
import { describe, expect, it } from "vitest";
import { fixing, stub } from "../cli/program.ts";
import { machine, postgresForTests } from "./fleet-scene.ts";

const server = postgresForTests();
const origin = "https://example.com/team/app.git";
const words = ["--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];

const as = (url: string, role: string) => url.replace("postgres@", `${role}@`);
const nameOf = (url: string) => new URL(url).pathname.slice(1);

interface Bad {
  readonly name: string;
  readonly code: string;
  readonly says: RegExp;
  readonly remedy: RegExp;
  /** It is waited for, so one command is enough. */
  readonly slow?: true;
  url(): Promise<string>;
}

/** Lets one role in by its password alone. */
async function guard(role: string): Promise<void> {
  await server().query(`CREATE ROLE ${role} LOGIN PASSWORD 'right'`);
  const [row] = await server().query("SHOW hba_file");
  const lines = [`host all ${role} 127.0.0.1/32 scram-sha-256`, "host all all 127.0.0.1/32 trust"];
  await server().query(
    `COPY (SELECT unnest(ARRAY['${lines.join("', '")}'])) TO '${String(row?.["hba_file"])}'; SELECT pg_reload_conf()`,
  );
}

const table: readonly Bad[] = [
  {
    name: "an address of something else",
    code: "invalid_config",
    says: /is not the address of a PostgreSQL database/,
    remedy: /postgres:\/\/user:password@host:5432\/database/,
    url: async () => ["mysql://me", "hidden@127.0.0.1/x"].join(":"),
  },
  {
    name: "an address where nothing listens",
    code: "store_unreachable",
    says: /127\.0\.0\.1:1\/x cannot be reached/,
    remedy: /Check that the server runs/,
    slow: true,
    url: async () => ["postgres://me", "hidden@127.0.0.1:1/x"].join(":"),
  },
  {
    name: "a database that is not there",
    code: "invalid_config",
    says: /has no such database/,
    remedy: /createdb/,
    url: async () => server().url.replace(/postgres$/, "nothing_here"),
  },
  {
    name: "a wrong password",
    code: "permission_denied",
    says: /refuses the user or the password/,
    remedy: /Check user and password/,
    url: async () => {
      await guard("guarded");
      return as(await server().database(), "guarded:hidden");
    },
  },
  {
    name: "a user who may not log in",
    code: "permission_denied",
    says: /does not let this user in/,
    remedy: /pg_hba\.conf/,
    url: async () => {
      await server().query("CREATE ROLE locked NOLOGIN");
      return as(await server().database(), "locked");
    },
  },
  {
    name: "a user without rights",
    code: "permission_denied",
    says: /does not give this user the rights/,
    remedy: /grant USAGE/,
    url: async () => {
      await server().query("CREATE ROLE guest LOGIN");
      return as(await server().database(), "guest");
    },
  },
  {
    name: "a server without TLS",
    code: "permission_denied",
    says: /cannot agree on TLS/,
    remedy: /sslmode/,
    url: async () => `${await server().database()}?sslmode=require`,
  },
  {
    name: "another encoding",
    code: "invalid_config",
    says: /stores text as LATIN1/,
    remedy: /ENCODING 'UTF8'/,
    url: () => server().database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"),
  },
  {
    name: "a schema of a newer version",
    code: "store_version",
    says: /have version 99; this program knows/,
    remedy: /newer version of thehood/,
    url: async () => {
      const url = await server().database();
      expect(machine(url, origin).ask("runs", "--json").code).toBe(0);
      await server().query(
        "CREATE SCHEMA thehood; CREATE TABLE thehood.migrations (version integer); INSERT INTO thehood.migrations VALUES (99)",
        url,
      );
      return url;
    },
  },
  {
    name: "a replica that can only be read",
    code: "permission_denied",
    says: /is a replica that can only be read/,
    remedy: /address of the primary/,
    url: async () => {
      const url = await server().database();
      await server().query(`ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = on`);
      return url;
    },
  },
];

describe("[B-22] a database that cannot be used", () => {
  it.each(table)("$name", async ({ url, code, says, remedy, slow }) => {
    const here = machine(await url(), origin);
    const commands = [
      ["run", "Fix add", ...words],
      ["workers", "--json"],
    ];
    for (const asked of slow ? commands.slice(1) : commands) {
      const ran = here.ask(...asked);
      const { error } = ran.json<{ error: { code: string; message: string; remedy: string } }>();
      expect(ran.code, ran.out).not.toBe(0);
      expect(error).toMatchObject({
        code,
        message: expect.stringMatching(says),
        remedy: expect.stringMatching(remedy),
      });
      expect(ran.out + ran.err).not.toContain("hidden");
    }
    expect(here.desk.repo.git("status", "--porcelain")).toBe("");
  });

  it("is full in the middle of a run: what was stored is whole, and the run goes on when there is room", async () => {
    const url = await server().database();
    const here = machine(url, origin);
    expect(here.ask("workers", "--json").code).toBe(0);
    await server().query(
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.seq > 8 THEN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END IF;
         RETURN NEW; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON thehood.events FOR EACH ROW EXECUTE FUNCTION full_disk()`,
      url,
    );
    const ran = here.ask("run", "Fix add", ...words);
    expect([ran.code === 0, ran.out + ran.err]).toEqual([false, expect.stringContaining("store_full")]);
    const [run] = here.ask("runs", "--json").json<{ runs: { runId: string }[] }>().runs;
    expect(here.ask("log", "verify").code).toBe(0);
    await server().query("DROP TRIGGER full_disk ON thehood.events", url);
    const done = here.ask("continue", run?.runId ?? "", "--json");
    expect(done.out + done.err).toContain("completed");
    expect(here.ask("log", "verify").code).toBe(0);
  });
});
