// Rows that are documents: read and written whole.
import { fail } from "../../../contract/index.ts";
import type { Database } from "../../../store/index.ts";

export interface Documents<T extends { readonly id: string }> {
  get(id: string): T | undefined;
  all(limit?: number): T[];
  /** All documents of which an expression has one of the values. */
  where(expression: string, values: readonly string[]): T[];
  add(document: T, at: number): void;
  change(id: string, change: Partial<T>): T;
  /** Writes the whole document, whether there was one or not. */
  put(document: T, at: number): void;
}

const read = <T>(row: { data?: unknown } | undefined): T | undefined =>
  row === undefined ? undefined : (JSON.parse(String(row.data)) as T);

export function documentsOf<T extends { readonly id: string }>(
  database: Database,
  table: string,
  /** Columns beside the document, by the document. */
  more: (document: T) => Readonly<Record<string, string>> = () => ({}),
): Documents<T> {
  const get = (id: string) => read<T>(database.get(`SELECT data FROM ${table} WHERE id = ?`, id));
  const insert = (document: T, at: number): void => {
    const columns = { id: document.id, at, data: JSON.stringify(document), ...more(document) };
    const names = Object.keys(columns);
    database.run(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(columns),
    );
  };
  const write = (document: T): void =>
    database.run(`UPDATE ${table} SET data = ? WHERE id = ?`, JSON.stringify(document), document.id);
  return {
    get,
    all: (limit = 1000) =>
      database
        .all(`SELECT data FROM ${table} ORDER BY at DESC, id DESC LIMIT ?`, limit)
        .map((row) => read<T>(row) as T),
    where: (expression, values) =>
      database
        .all(
          `SELECT data FROM ${table} WHERE ${expression} IN (${values.map(() => "?").join(", ")}) ORDER BY at, id`,
          ...values,
        )
        .map((row) => read<T>(row) as T),
    add(document, at) {
      if (get(document.id)) fail("conflict", `There is already one with the id ${document.id}.`);
      insert(document, at);
    },
    change(id, change) {
      const old = get(id) ?? fail("not_found", `There is none with the id ${id}.`);
      const next = { ...old, ...change };
      write(next);
      return next;
    },
    put: (document, at) => (get(document.id) ? write(document) : insert(document, at)),
  };
}
