// The sealed secrets of configurations: a row for each key.
import type { GatewayStore, SealedSecret } from "../port.ts";
import type { All } from "./documents.ts";

export function sharedSecrets(
  all: All,
  s: string,
): Pick<GatewayStore, "putSecret" | "secrets" | "removeSecret"> {
  const table = `${s}.gateway_secrets`;
  return {
    putSecret: async ({ configurationId, key, keyId, iv, tag, cipher, updatedAt }) => {
      // A row that was there before has a past: only then is its writer of old not ours.
      const [row] = await all(
        `INSERT INTO ${table} AS old VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (configuration_id, key) DO UPDATE
         SET key_id = $3, iv = $4, tag = $5, cipher = $6, updated_at = $7 RETURNING (old.xmax <> 0) AS replaced`,
        [configurationId, key, keyId, iv, tag, cipher, updatedAt],
      );
      return { replaced: row?.["replaced"] === true };
    },
    secrets: async (configurationId) =>
      (await all(
        `SELECT configuration_id AS "configurationId", key, key_id AS "keyId", iv, tag, cipher, updated_at AS "updatedAt"
         FROM ${table} WHERE configuration_id = $1 ORDER BY key`,
        [configurationId],
      )) as unknown as SealedSecret[],
    removeSecret: async (configurationId, key) => {
      const sql = `DELETE FROM ${table} WHERE configuration_id = $1 AND key = $2 RETURNING 1`;
      return (await all(sql, [configurationId, key])).length === 1;
    },
  };
}
