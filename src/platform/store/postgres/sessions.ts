// The sessions of `oracle` on PostgreSQL: each session is a row with a version, and its files.
import { randomUUID } from "node:crypto";
import type { SessionFiles, SessionShelf, ShelvedSession } from "../../../core/contract/transport/index.ts";
import { connectTo, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { schemaOf } from "./schema.ts";

type All = Connection["all"];

export async function openSessionShelf(store: {
  readonly url: string;
  readonly team: string | undefined;
}): Promise<SessionShelf> {
  const connection = connectTo(store.url, { max: 2 });
  const s = schemaOf(store.team);
  const silent = `(extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"`;
  try {
    await migrate(connection, s);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const put = async (all: All, id: string, files: SessionFiles): Promise<void> => {
    for (const [name, data] of files)
      await all(
        `INSERT INTO ${s}.oracle_files VALUES ($1, $2, $3) ON CONFLICT (id, name) DO UPDATE SET data = excluded.data`,
        [id, name, data],
      );
  };
  return {
    add: (id, files) => {
      const maker = randomUUID();
      return connection.together(async (all) => {
        await all(`INSERT INTO ${s}.oracle_sessions (id, maker) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [id, maker]);
        // After a lost answer the row may be there already, made by this very call.
        const [row] = await all(`SELECT maker FROM ${s}.oracle_sessions WHERE id = $1`, [id]);
        if (row?.["maker"] !== maker) return false;
        await put(all, id, files);
        return true;
      });
    },
    save: (id, { files, gone, expected }) =>
      connection.together(async (all) => {
        const [row] = await all(
          `UPDATE ${s}.oracle_sessions SET version = version + $3, beat_at = clock_timestamp()
           WHERE id = $1 AND ($2::bigint IS NULL OR version = $2) RETURNING version`,
          [id, expected ?? null, files.size + gone.length > 0 ? 1 : 0],
        );
        if (!row) return undefined;
        await put(all, id, files);
        await all(`DELETE FROM ${s}.oracle_files WHERE id = $1 AND name = ANY($2)`, [id, gone]);
        return Number(row["version"]);
      }),
    list: async () =>
      (await connection.all(`SELECT id, version, ${silent} FROM ${s}.oracle_sessions ORDER BY id`)) as unknown as Omit<
        ShelvedSession,
        "files"
      >[],
    load: async (ids, names) => {
      const only = names === undefined ? "" : "AND name = ANY($2)";
      const rows = await connection.all(
        `SELECT id, version, ${silent}, name, data FROM ${s}.oracle_sessions JOIN ${s}.oracle_files USING (id)
         WHERE id = ANY($1) ${only} ORDER BY id, name`,
        names === undefined ? [ids] : [ids, names],
      );
      const found = new Map<string, ShelvedSession & { files: Map<string, Uint8Array> }>();
      for (const { name, data, ...row } of rows) {
        const session = row as unknown as Omit<ShelvedSession, "files">;
        const known = found.get(session.id) ?? { ...session, files: new Map<string, Uint8Array>() };
        known.files.set(String(name), data as Uint8Array);
        found.set(session.id, known);
      }
      return [...found.values()];
    },
    remove: async (id) => {
      await connection.together(async (all) => {
        await all(`DELETE FROM ${s}.oracle_files WHERE id = $1`, [id]);
        await all(`DELETE FROM ${s}.oracle_sessions WHERE id = $1`, [id]);
      });
    },
  };
}
