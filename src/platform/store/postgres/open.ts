// Opens the shared store: one PostgreSQL database for many machines, behind the same ports as the embedded store.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fail, type Store } from "../../../core/contract/index.ts";
import { makeFolder } from "../../system/index.ts";
import { openStore } from "../open.ts";
import { databaseHome, type ArtifactHome, createSharedArtifacts } from "./artifacts.ts";
import { connectTo } from "./connection.ts";
import { createSharedLeases } from "./leases.ts";
import { createSharedLog } from "./log.ts";
import { migrate, refuseNewer, versionOf } from "./migrate.ts";
import { schemaOf } from "./schema.ts";
import { createSharedVerify } from "./verify.ts";

export interface SharedStoreOptions {
  readonly url: string;
  readonly team?: string | undefined;
  /** `s3://bucket/prefix`; without it artifacts are in the database. */
  readonly artifacts?: string | undefined;
  /** Credentials and endpoint for S3 are read from these. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** A folder of this machine for artifacts that were read or written here. */
  readonly cacheDir: string;
  /** The repository whose runs are seen; without it all runs of the team are. */
  readonly repo?: string | undefined;
  /** `read` creates and changes nothing, and a database without tables reads as an empty store. */
  readonly mode?: "write" | "read";
  readonly unknownIn?: (event: unknown) => string | undefined;
  /** For tests: the time of leases instead of the database's. */
  readonly now?: () => number;
  /** How long a lost server is waited for, in milliseconds. */
  readonly patience?: number;
}

export async function openSharedStore<E = unknown>(options: SharedStoreOptions): Promise<Store<E>> {
  const { url, cacheDir, repo, mode = "write", unknownIn, now, patience } = options;
  const schema = schemaOf(options.team);
  const connection = connectTo(url, patience === undefined ? {} : { patience });
  try {
    if (mode === "write") await migrate(connection, schema);
    else {
      const version = await versionOf(connection, schema);
      refuseNewer(version, connection.where, schema);
      if (version === 0) {
        await connection.close();
        return openStore(join(cacheDir, "no store"), { clock: { now: () => 0 }, mode: "read" });
      }
    }
    const tables = { connection, schema, repo };
    const home = await artifactHome(options, databaseHome(connection, schema));
    mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
    for (const folder of [cacheDir, join(cacheDir, "tmp")]) makeFolder(folder);
    return {
      log: { ...createSharedLog<E>(tables), verify: createSharedVerify(tables, home, unknownIn) },
      artifacts: createSharedArtifacts(home, cacheDir, connection.where, mode === "write", patience),
      leases: createSharedLeases(tables, now),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function artifactHome(options: SharedStoreOptions, inDatabase: ArtifactHome): Promise<ArtifactHome> {
  const { artifacts, variables = {} } = options;
  if (artifacts === undefined) return inDatabase;
  if (!artifacts.startsWith("s3://"))
    fail("invalid_config", `store.artifacts "${artifacts.slice(0, 80)}" is not an s3:// address.`, {
      remedy: "Write s3://bucket/prefix, or remove the value: artifacts are then stored in the database.",
    });
  return (await import("./s3.ts")).s3Home(artifacts, variables);
}
