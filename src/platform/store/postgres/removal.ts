// The one way by which runs leave the shared store: a function of the database that belongs to the owner of the tables. The
// owner may call it, and every role to which the owner grants EXECUTE on it; for all others logs are append-only for good.
import { connectTo } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { schemaOf } from "./schema.ts";

/** Takes runs that are over out of the shared store for good, all or none, provided that they still have these heads. */
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
