// A print of a checkout: what git sees as changed or untracked with a hash of its content, where HEAD stands, and what
// steers git. What is committed and unchanged needs no hash: it would show as changed.
import { createHash } from "node:crypto";
import { createReadStream, lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Repository } from "../git/index.ts";
import { readStatus } from "../worktree/index.ts";
import { copySteering } from "./steering.ts";

/** Beyond this a file's size and times must do. */
const hashedBytes = 32 * 1024 ** 2;

export async function printCheckout(repository: Repository): Promise<Record<string, string>> {
  const { headers, entries } = await readStatus(repository);
  const print: Record<string, string> = { HEAD: `${headers.branch ?? ""} ${headers.head ?? ""}` };
  for (const { path, code } of entries)
    print[path] = `${code} ${await contentOf(join(repository.top, path))}`;
  for (const [path, entry] of Object.entries(copySteering(repository.commonDir)))
    print[`.git/${path}`] = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
  return print;
}

async function contentOf(path: string): Promise<string> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return "gone";
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  const rough = `${stats.mode} ${stats.size}`;
  if (!stats.isFile() || stats.size > hashedBytes) return `${rough} ${stats.mtimeMs}`;
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    // Gone or closed to us between two looks; the other look will differ or agree.
    if (error instanceof Error && "code" in error) return `${rough} unreadable`;
    throw error;
  }
  return `${rough} ${hash.digest("hex")}`;
}
