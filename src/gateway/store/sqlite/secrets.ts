// The sealed secrets of configurations: a row for each key.
import type { GatewayStore, SealedSecret } from "../port.ts";
import type { Steps } from "./group-commit.ts";

export function localSecrets({
  database,
  atOnce,
  commit,
}: Steps): Pick<GatewayStore, "putSecret" | "secrets" | "removeSecret"> {
  return {
    putSecret: ({ configurationId, key, keyId, iv, tag, cipher, updatedAt }) =>
      commit(() => {
        const old = database.get(
          "SELECT 1 AS found FROM secrets WHERE configuration_id = ? AND key = ?",
          configurationId,
          key,
        );
        database.run(
          "INSERT OR REPLACE INTO secrets (configuration_id, key, key_id, iv, tag, cipher, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
          configurationId,
          key,
          keyId,
          iv,
          tag,
          cipher,
          updatedAt,
        );
        return { replaced: old !== undefined };
      }),
    secrets: (configurationId) =>
      atOnce(() =>
        database
          .all(
            "SELECT configuration_id AS configurationId, key, key_id AS keyId, iv, tag, cipher, updated_at AS updatedAt FROM secrets WHERE configuration_id = ? ORDER BY key",
            configurationId,
          )
          .map((row) => ({ ...row }) as unknown as SealedSecret),
      ),
    removeSecret: (configurationId, key) =>
      commit(() => {
        database.run("DELETE FROM secrets WHERE configuration_id = ? AND key = ?", configurationId, key);
        return Number(database.get("SELECT changes() AS n")?.["n"]) === 1;
      }),
  };
}
