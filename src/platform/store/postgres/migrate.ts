// Brings the tables of a schema up to this version: once, also when two processes start together.
import { fail } from "../../../core/contract/index.ts";
import { type Connection, connectTo } from "./connection.ts";
import { migrations, schemaOf } from "./schema.ts";

/** 0 when there is nothing yet. */
export async function versionOf(connection: Connection, schema: string): Promise<number> {
  const there = `${schema}.migrations`;
  const [found] = await connection.all("SELECT to_regclass($1) IS NOT NULL AS there", [there]);
  if (found?.["there"] !== true) return 0;
  const [row] = await connection.all(`SELECT max(version) AS version FROM ${there}`);
  return Number(row?.["version"] ?? 0);
}

/** Refuses tables of a newer program; a writer then makes what is missing. */
export async function migrate(connection: Connection, schema: string): Promise<void> {
  const version = await versionOf(connection, schema);
  refuseNewer(version, connection.where, schema);
  if (version === migrations.length) return;
  await refuseOtherEncoding(connection);
  await connection.together(async (all) => {
    // The lock is the database's: the second of two starting processes waits, and finds the work done.
    await all("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`thehood migrations ${schema}`]);
    await all(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await all(
      `CREATE TABLE IF NOT EXISTS ${schema}.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
    );
    const [row] = await all(`SELECT max(version) AS version FROM ${schema}.migrations`);
    for (let at = Number(row?.["version"] ?? 0); at < migrations.length; at++) {
      await all(migrations[at]?.(schema) ?? "");
      await all(`INSERT INTO ${schema}.migrations (version) VALUES ($1)`, [at + 1]);
    }
  });
}

export function refuseNewer(version: number, where: string, schema: string): void {
  if (version > migrations.length)
    fail(
      "store_version",
      `The tables in ${where} (${schema}) have version ${version}; this program knows versions up to ${migrations.length}.`,
      { remedy: "Use the newer version of thehood that made them. Nothing was changed." },
    );
}

async function refuseOtherEncoding(connection: Connection): Promise<void> {
  const [row] = await connection.all("SHOW server_encoding");
  const encoding = String(row?.["server_encoding"]);
  if (encoding !== "UTF8")
    fail("invalid_config", `The database at ${connection.where} stores text as ${encoding}, not as UTF8.`, {
      remedy: "Create a database with ENCODING 'UTF8' and use its address.",
    });
}

/** Removes finished runs from the shared store, all or none, provided that they still have these heads. */
export async function removeSharedRuns(
  { url, team }: { readonly url: string; readonly team: string | undefined },
  heads: ReadonlyMap<string, { readonly hash: string }>,
): Promise<{ artifacts: number; freedBytes: number }> {
  const connection = connectTo(url, { max: 1 });
  const schema = schemaOf(team);
  try {
    await migrate(connection, schema);
    const [row] = await connection.all(`SELECT artifacts, freed FROM ${schema}.remove_runs($1, $2)`, [
      [...heads.keys()],
      [...heads.values()].map(({ hash }) => hash),
    ]);
    return { artifacts: Number(row?.["artifacts"]), freedBytes: Number(row?.["freed"]) };
  } finally {
    await connection.close();
  }
}
