// The connections to one PostgreSQL server: opened when first used, made again when the line breaks, errors as failures.
import { Pool, types as standardTypes, type ClientConfig, type PoolClient } from "pg";
import { FailureError, fail } from "../../../core/contract/index.ts";
import { asServerFailure, isLineLost, isUndone, shownUrl } from "./failures.ts";

type Value = string | number | boolean | null | Uint8Array | readonly string[];
export type Row = Record<string, unknown>;

export interface Connection {
  readonly where: string;
  /** One statement. Done again when the line breaks, so it must be one that may be done twice. */
  all(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** The same for a statement that must know: with `again` an earlier try may have been committed. */
  once(sql: string, values: (again: boolean) => readonly Value[]): Promise<Row[]>;
  /** Several statements in one transaction; with `again` an earlier try may have been committed. */
  together<T>(work: (all: Connection["all"], again: boolean) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const firstWaitMs = 10;
/** A server that restarts is back within this time; otherwise the call fails. */
const patienceMs = 15_000;

type Oid = Parameters<typeof standardTypes.getTypeParser>[0];

/** Whole numbers of eight bytes are numbers here; ours stay far below 2^53. */
const types = {
  getTypeParser: ((oid: Oid, format?: "text" | "binary") =>
    Number(oid) === 20 ? Number : standardTypes.getTypeParser(oid, format)) as typeof standardTypes.getTypeParser,
};

export function connectTo(url: string, options: { max?: number; patience?: number } = {}): Connection {
  const pool = new Pool({
    ...connectionConfig(url),
    max: options.max ?? 4,
    types,
    keepAlive: true,
    allowExitOnIdle: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
    application_name: "thehood",
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => undefined);
  const persist = <T>(work: (again: boolean) => Promise<T>): Promise<T> => persistent(url, work, options.patience);
  const query = async (client: Pool | PoolClient, sql: string, values: readonly Value[] = []) =>
    (await client.query<Row>(sql, values.map(asParameter))).rows;

  return {
    where: shownUrl(url),
    all: (sql, values) => persist(() => query(pool, sql, values)),
    once: (sql, values) => persist((again) => query(pool, sql, values(again))),
    together: (work) =>
      persist((again) => inTransaction(pool, (client) => work((sql, values) => query(client, sql, values), again))),
    close: () => pool.end(),
  };
}

/** Retries work when the connection breaks; with `again` an earlier try may have been done. Errors become failures. */
export async function persistent<T>(
  url: string,
  work: (again: boolean) => Promise<T>,
  patience = patienceMs,
): Promise<T> {
  const until = Date.now() + patience;
  let unknown = false;
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, 1_000)) {
    try {
      return await work(unknown);
    } catch (error) {
      const lost = isLineLost(error);
      unknown ||= lost;
      if (!(lost || isUndone(error)) || Date.now() + wait > until) throw asThrown(error, url);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The running statement fails on its own; without a listener a broken connection would end the process.
  const ignored = (): void => undefined;
  client.on("error", ignored);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection whose transaction failed is closed: the server undoes what was open.
    client.release(broken);
    if (!broken) client.off("error", ignored);
  }
}

function connectionConfig(url: string): ClientConfig {
  const parsed = URL.parse(url);
  if (parsed && /^postgres(?:ql)?:$/.test(parsed.protocol)) {
    // TLS without checking the certificate does not protect; the driver does the same, with a warning.
    const mode = parsed.searchParams.get("sslmode");
    if (mode !== null && ["prefer", "require", "verify-ca"].includes(mode))
      parsed.searchParams.set("sslmode", "verify-full");
    return { connectionString: parsed.href };
  }
  return fail("invalid_config", `${shownUrl(url)} is not the address of a PostgreSQL database.`, {
    remedy: "Write it as postgres://user:password@host:5432/database.",
  });
}

function asParameter(value: Value): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function asThrown(error: unknown, url: string): unknown {
  const failure = asServerFailure(error, url);
  return failure && !(error instanceof FailureError) ? new FailureError(failure, { cause: error }) : error;
}
