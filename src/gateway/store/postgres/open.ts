// The gateway's store on the shared database: several gateways, also on several machines, see one order.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import {
  connectTo,
  openSharedStore,
  schemaOf,
  type Connection,
  type SharedStoreOptions,
} from "../../../platform/store/postgres/index.ts";
import { storedSecret } from "../calls.ts";
import { documentMethods, tablesOf } from "../documents.ts";
import { leaseMethods } from "../leases.ts";
import type { GatewayStore } from "../port.ts";
import { sharedEvents } from "./events.ts";
import { sharedCalls } from "./ledger.ts";
import { sharedDatabase } from "./steps.ts";

export async function openSharedGatewayStore(options: SharedStoreOptions, owner: LeaseOwner): Promise<GatewayStore> {
  // Creates the tables, refuses newer ones, and stores the artifacts.
  const shared = await openSharedStore(options);
  const connection = connectTo(options.url, { max: 8 });
  const schema = schemaOf(options.team);
  const database = sharedDatabase(connection, schema);
  const tables = tablesOf(database);
  return {
    artifacts: shared.artifacts,
    ...documentMethods(tables),
    ...leaseMethods(database, owner),
    ...sharedCalls(connection, tables, schema, owner),
    ...sharedEvents(connection, schema),
    ...sharedSecrets(connection.all, schema),
    close: async () => {
      await connection.close();
      await shared.close();
    },
  };
}

function sharedSecrets(
  all: Connection["all"],
  s: string,
): Pick<GatewayStore, "putSecret" | "secrets" | "removeSecret"> {
  const table = `${s}.gateway_secrets`;
  return {
    putSecret: async ({ configurationId, key, keyId, iv, tag, cipher, updatedAt }) => {
      // `xmax` of a row that this statement replaced is not zero.
      const [row] = await all(
        `INSERT INTO ${table} AS old VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (configuration_id, key) DO UPDATE
         SET key_id = $3, iv = $4, tag = $5, cipher = $6, updated_at = $7 RETURNING (old.xmax <> 0) AS replaced`,
        [configurationId, key, keyId, iv, tag, cipher, updatedAt],
      );
      return { replaced: row?.["replaced"] === true };
    },
    secrets: async (configurationId) =>
      (await all(`SELECT * FROM ${table} WHERE configuration_id = $1 ORDER BY key`, [configurationId])).map(
        storedSecret,
      ),
    removeSecret: async (configurationId, key) => {
      const sql = `DELETE FROM ${table} WHERE configuration_id = $1 AND key = $2 RETURNING 1`;
      return (await all(sql, [configurationId, key])).length === 1;
    },
  };
}
