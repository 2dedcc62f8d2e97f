// Artifacts of the shared store, through a cache of files on this machine: content named by its hash never goes stale.
import { rmSync } from "node:fs";
import { FailureError, fail, type Artifacts } from "../../../core/contract/index.ts";
import { pathOf } from "../artifact-files.ts";
import { createArtifacts } from "../artifacts.ts";
import { corrupt } from "../failures.ts";
import { sha256 } from "../hashing.ts";
import { checkRef } from "../names.ts";
import type { ArtifactHome } from "./artifact-home.ts";

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
      if (!(error instanceof FailureError) || !["not_found", "store_corrupt"].includes(error.failure.code))
        throw error;
    }
    const bytes = await home.get(name);
    if (!bytes)
      fail("not_found", `There is no artifact sha256:${name} in this store.`, {
        remedy:
          "List what a run holds with `thehood show <run>`; `thehood log verify` finds missing artifacts.",
      });
    if (sha256(bytes) !== name)
      throw new FailureError(corrupt(where, `artifact sha256:${name} no longer matches its name`, { name }));
    rmSync(pathOf(cacheRoot, name), { force: true });
    // A cache remembers the names that it wrote; a new one looks at the folder.
    cache = open();
    cache.put(bytes, { kind: "log", mediaType: "", summary: "" });
    return use();
  };

  return {
    put: async (data, about) => {
      if (!writable) fail("permission_denied", `The store at ${where} was opened to read.`);
      const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
      const ref = cache.put(bytes, about);
      await patiently(patience, () => home.put(checkRef(ref.ref), bytes));
      return ref;
    },
    has: async (ref) => home.has(checkRef(ref)),
    read: (ref) => fetched(ref, () => cache.read(ref)),
    slice: (ref, offset, length) => fetched(ref, () => cache.slice(ref, offset, length)),
  };
}
