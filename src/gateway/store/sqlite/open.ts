// The gateway's store on one SQLite file. Reads answer at once; every change goes through the group commit.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LeaseOwner } from "../../../core/contract/index.ts";
import { connect, createArtifacts } from "../../../platform/store/index.ts";
import { ensureFolder } from "../../../platform/system/index.ts";
import { storedSecret } from "../calls.ts";
import { documentMethods, tablesOf } from "../documents.ts";
import { leaseMethods } from "../leases.ts";
import type { GatewayStore } from "../port.ts";
import { localEvents } from "./events.ts";
import { localDatabase, transactionsOn, type Transactions } from "./group-commit.ts";
import { changed, localCalls } from "./ledger.ts";
import { gatewaySchema } from "./schema.ts";

/** `owner` names this process in its leases and calls, so that a later process can see whether it is alive. */
export function openGatewayStore(folder: string, owner: LeaseOwner): GatewayStore {
  ensureFolder(folder);
  const file = join(folder, "gateway.db");
  const sqlite = connect({ file, mode: "write", busyTimeoutMs: 10_000, schema: gatewaySchema });
  const transactions = transactionsOn(sqlite);
  const database = localDatabase(transactions);
  const tables = tablesOf(database);
  const evidence = openEvidence(folder, file);
  return {
    artifacts: evidence.artifacts,
    ...documentMethods(tables),
    ...leaseMethods(database, owner),
    ...localCalls(transactions, tables, owner),
    ...localEvents(transactions),
    ...localSecrets(transactions),
    close: () =>
      transactions.atOnce(() => {
        evidence.close();
        sqlite.close();
      }),
  };
}

function localSecrets({
  database,
  atOnce,
  commit,
}: Transactions): Pick<GatewayStore, "putSecret" | "secrets" | "removeSecret"> {
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
          .all("SELECT * FROM secrets WHERE configuration_id = ? ORDER BY key", configurationId)
          .map(storedSecret),
      ),
    removeSecret: (configurationId, key) =>
      commit(() => {
        database.run("DELETE FROM secrets WHERE configuration_id = ? AND key = ?", configurationId, key);
        return changed(database);
      }),
  };
}

const maxArtifactBytes = 64 << 20;

/** Evidence beside the database: files by the hash of their content, on the disk before their name is returned. */
function openEvidence(folder: string, file: string): Pick<GatewayStore, "artifacts"> & { close(): void } {
  const root = join(folder, "artifacts");
  mkdirSync(join(root, "tmp"), { recursive: true, mode: 0o700 });
  const database = connect({ file, mode: "read", busyTimeoutMs: 10_000, schema: gatewaySchema });
  const files = createArtifacts({ root, database, maxBytes: maxArtifactBytes, writable: true });
  return {
    artifacts: {
      async put(bytes, about) {
        const stored = await files.put(bytes, about);
        await files.settle();
        return stored;
      },
      // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
      read: async (ref) => files.read(ref),
    },
    close: () => database.close(),
  };
}
