// Rows that are documents: read and written whole.
import { fail } from "../../../core/contract/index.ts";
import type { Database } from "../../../platform/store/index.ts";

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

const mostParsed = 1000;
const read = <T>(row: { data?: unknown }): T => JSON.parse(String(row.data)) as T;

export function documentsOf<T extends { readonly id: string }>(
  database: Database,
  table: string,
  /** Columns beside the document, by the document. */
  more: (document: T) => Readonly<Record<string, string>> = () => ({}),
): Documents<T> {
  /** The last text of a document with its value: most reads find the text unchanged. */
  const parsed = new Map<string, { readonly text: string; readonly value: T }>();
  const get = (id: string): T | undefined => {
    const row = database.get(`SELECT data FROM ${table} WHERE id = ?`, id);
    if (!row) return undefined;
    const text = String(row["data"]);
    const known = parsed.get(id);
    if (known?.text === text) return known.value;
    const value = JSON.parse(text) as T;
    if (parsed.size >= mostParsed) parsed.clear();
    parsed.set(id, { text, value });
    return value;
  };
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
        .map((row) => read<T>(row)),
    where: (expression, values) =>
      database
        .all(
          `SELECT data FROM ${table} WHERE ${expression} IN (${values.map(() => "?").join(", ")}) ORDER BY at, id`,
          ...values,
        )
        .map((row) => read<T>(row)),
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
