// The place where artifacts of a shared store lie: in the database, in parts. `s3.ts` is the other place.
import type { Connection } from "./connection.ts";

/** Bytes by their hash. A `put` that has resolved is durable; putting the same bytes twice changes nothing. */
export interface ArtifactHome {
  put(name: string, bytes: Uint8Array): Promise<void>;
  has(name: string): Promise<boolean>;
  get(name: string): Promise<Uint8Array | undefined>;
  /** Every name, for `verify`. */
  names(): AsyncIterable<string>;
}

const partBytes = 1_048_576;

export function databaseHome(connection: Connection, s: string): ArtifactHome {
  return {
    put: async (name, bytes) => {
      const [held] = await connection.all(`SELECT ${s}.hold_artifact($1) AS held`, [name]);
      if (held?.["held"] === true) return;
      await connection.together(async (all) => {
        const insert = `INSERT INTO ${s}.artifact_parts VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
        for (let part = 0; part * partBytes < bytes.length || part === 0; part++)
          await all(insert, [name, part, bytes.subarray(part * partBytes, (part + 1) * partBytes)]);
        // Written last: an artifact whose row is there is whole.
        await all(`INSERT INTO ${s}.artifacts VALUES ($1, $2) ON CONFLICT DO NOTHING`, [name, bytes.length]);
      });
    },
    has,
    get: async (name) => {
      if (!(await has(name))) return undefined;
      const parts: Uint8Array[] = [];
      const sql = `SELECT data FROM ${s}.artifact_parts WHERE name = $1 AND part = $2`;
      for (let part = 0; ; part++) {
        const [row] = await connection.all(sql, [name, part]);
        if (!row) return Buffer.concat(parts);
        parts.push(row["data"] as Uint8Array);
      }
    },
    names: async function* () {
      for (let last = ""; ;) {
        const rows = await connection.all(
          `SELECT name FROM ${s}.artifacts WHERE name > $1 ORDER BY name LIMIT 1000`,
          [last],
        );
        for (const row of rows) yield (last = String(row["name"]));
        if (rows.length === 0) return;
      }
    },
  };

  async function has(name: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${s}.artifacts WHERE name = $1`;
    return (await connection.all(sql, [name])).length === 1;
  }
}
