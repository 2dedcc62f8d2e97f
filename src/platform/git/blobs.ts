// The bytes of blobs by their ids: many in one call, and each asked for once.
import { fail } from "../../core/contract/index.ts";
import type { Repository } from "./locate.ts";
import { gitOnceSync, knownAnswer, rememberAnswer } from "./once.ts";
import { git } from "./run.ts";

const question = (id: string) => ["cat-file", "blob", id];

export const readBlobSync = (repository: Repository, id: string): Buffer =>
  gitOnceSync(repository, question(id)).stdout;

/** The bytes of many blobs in one call, in order; none for those that are known. */
export async function readBlobs(repository: Repository, ids: readonly string[]): Promise<Buffer[]> {
  const found = new Map(ids.map((id) => [id, knownAnswer(repository, question(id))]));
  const unknown = [...found.keys()].filter((id) => found.get(id) === undefined);
  for (const [index, blob] of (await askBlobs(repository, unknown)).entries()) {
    const id = unknown[index] ?? "";
    rememberAnswer(repository, question(id), blob);
    found.set(id, blob);
  }
  return ids.map((id) => found.get(id) ?? Buffer.alloc(0));
}

async function askBlobs(repository: Repository, ids: readonly string[]): Promise<Buffer[]> {
  if (ids.length === 0) return [];
  const { stdout } = await git(repository, ["cat-file", "--batch", "--buffer"], {
    stdin: `${ids.join("\n")}\n`,
    maxBytes: 1 << 30,
    timeoutMs: 600_000,
  });
  const blobs: Buffer[] = [];
  let at = 0;
  for (const id of ids) {
    const end = stdout.indexOf(10, at);
    const header = stdout.toString("latin1", at, end).split(" ");
    const size = Number(header[2]);
    if (header[0] !== id || header[1] !== "blob" || !Number.isSafeInteger(size))
      fail("git_failed", `Object ${id} cannot be read from the repository.`, { remedy: "Run: git fsck" });
    blobs.push(stdout.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return blobs;
}
