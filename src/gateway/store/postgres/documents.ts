// Rows that are documents, read and written whole inside a transaction.
import { fail } from "../../../core/contract/index.ts";
import type { Connection, Row } from "../../../platform/store/postgres/index.ts";

export type All = Connection["all"];

export interface Documents<T extends { readonly id: string }> {
  get(all: All, id: string): Promise<T | undefined>;
  /** The same, and nobody else changes it before this transaction ends. */
  lock(all: All, id: string): Promise<T | undefined>;
  list(all: All, limit?: number): Promise<T[]>;
  /** `again`: the same document may be there already, from a try whose answer was lost. */
  add(all: All, document: T, at: number, again: boolean): Promise<void>;
  change(all: All, id: string, change: Partial<T>): Promise<T>;
  put(all: All, document: T, at: number): Promise<void>;
}

export const parsed = <T>(row: Row | undefined): T | undefined =>
  row === undefined ? undefined : (JSON.parse(String(row["data"])) as T);

export function documentsIn<T extends { readonly id: string }>(table: string): Documents<T> {
  const get = async (all: All, id: string, more = ""): Promise<T | undefined> =>
    parsed<T>((await all(`SELECT data FROM ${table} WHERE id = $1 ${more}`, [id]))[0]);
  const lock = (all: All, id: string) => get(all, id, "FOR UPDATE");
  const write = async (all: All, document: T): Promise<void> =>
    void (await all(`UPDATE ${table} SET data = $2 WHERE id = $1`, [document.id, JSON.stringify(document)]));
  const insert = (all: All, document: T, at: number, more: string) =>
    all(`INSERT INTO ${table} (id, at, data) VALUES ($1, $2, $3) ON CONFLICT (id) ${more} RETURNING 1`, [
      document.id,
      at,
      JSON.stringify(document),
    ]);
  return {
    get,
    lock,
    list: async (all, limit = 1_000) =>
      (await all(`SELECT data FROM ${table} ORDER BY at DESC, id DESC LIMIT $1`, [limit])).map(
        (row) => parsed<T>(row) as T,
      ),
    add: async (all, document, at, again) => {
      if ((await insert(all, document, at, "DO NOTHING")).length === 1) return;
      const known = again ? JSON.stringify(await get(all, document.id)) : undefined;
      if (known !== JSON.stringify(document))
        fail("conflict", `There is already one with the id ${document.id}.`);
    },
    change: async (all, id, change) => {
      const old = (await lock(all, id)) ?? fail("not_found", `There is none with the id ${id}.`);
      const next = { ...old, ...change };
      await write(all, next);
      return next;
    },
    put: async (all, document, at) =>
      void (await insert(all, document, at, "DO UPDATE SET data = excluded.data")),
  };
}
