// Artifacts of the shared store, through a cache of files on this machine: content named by its hash never goes stale.
import { rmSync } from "node:fs";
import { FailureError, fail, type Artifacts } from "../../../core/contract/index.ts";
import { pathOf } from "../artifact-files.ts";
import { createArtifacts } from "../artifacts.ts";
import { corrupt } from "../failures.ts";
import { sha256 } from "../hashing.ts";
import { checkRef } from "../ids.ts";
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
        const rows = await connection.all(`SELECT name FROM ${s}.artifacts WHERE name > $1 ORDER BY name LIMIT 1000`, [
          last,
        ]);
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

const maxBytes = 268_435_456;

/** Storage that cannot be reached is waited for so long: the bytes may be an answer that was paid for. */
const patienceMs = 60_000;

async function patiently(patience: number, work: () => Promise<void>): Promise<void> {
  const until = Date.now() + patience;
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await work();
    } catch (error) {
      const away = error instanceof FailureError && error.failure.code === "store_unreachable";
      if (!away || Date.now() + wait > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

export function createSharedArtifacts(
  home: ArtifactHome,
  cacheRoot: string,
  where: string,
  writable: boolean,
  patience = patienceMs,
): Artifacts {
  // The cache needs no promise about the disk: bytes that do not match their name are fetched again.
  const guard = <T>(work: () => T): T => work();
  const open = () => createArtifacts({ root: cacheRoot, database: { guard }, maxBytes, writable: true });
  let cache = open();

  const fetched = async <T>(ref: string, use: () => T): Promise<T> => {
    const name = checkRef(ref);
    try {
      return use();
    } catch (error) {
      if (!(error instanceof FailureError) || !["not_found", "store_corrupt"].includes(error.failure.code)) throw error;
    }
    const bytes = await home.get(name);
    if (!bytes)
      fail("not_found", `There is no artifact sha256:${name} in this store.`, {
        remedy: "List what a run holds with `thehood show <run>`; `thehood log verify` finds missing artifacts.",
      });
    if (sha256(bytes) !== name)
      throw new FailureError(corrupt(where, `artifact sha256:${name} no longer matches its name`, { name }));
    rmSync(pathOf(cacheRoot, name), { force: true });
    // A cache remembers the names that it wrote; a new one reads the folder.
    cache = open();
    await cache.put(bytes, { kind: "log", mediaType: "", summary: "" });
    return use();
  };

  return {
    put: async (data, about) => {
      if (!writable) fail("permission_denied", `The store at ${where} was opened to read.`);
      const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
      const ref = await cache.put(bytes, about);
      await patiently(patience, () => home.put(checkRef(ref.ref), bytes));
      return ref;
    },
    has: async (ref) => home.has(checkRef(ref)),
    // The database acknowledges a put when it is durable.
    settle: () => Promise.resolve(),
    read: (ref) => fetched(ref, () => cache.read(ref)),
    slice: (ref, offset, length) => fetched(ref, () => cache.slice(ref, offset, length)),
  };
}
