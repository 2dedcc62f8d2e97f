// Writes refs of our own namespace. A git process that was killed leaves `NAME.lock`, and git then refuses that ref for ever:
// such a lock is removed once no process can hold it. A lock on any other ref belongs to the user and is never removed.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { systemCode } from "../../core/contract/index.ts";
import { entryAt, processIds, timers } from "../system/index.ts";
import type { Repository } from "./locate.ts";
import { git } from "./run.ts";

const own = "refs/thehood/";
/** git holds such a lock for milliseconds. Where processes cannot be listed, a longer time decides. */
const staleMs = process.platform === "linux" ? 2_000 : 30_000;
const pollMs = 200;

/** `to`: null deletes the ref. `from`: what it must hold, null for nothing. False when it holds something else. */
export async function moveOwnRef(
  repository: Repository,
  ref: string,
  to: string | null,
  from?: string | null,
): Promise<boolean> {
  if (!ref.startsWith(own)) throw new TypeError(`${ref} is not a ref of ours`);
  const expected = from === undefined ? [] : [from ?? "0".repeat(to?.length ?? 40)];
  const args = to === null ? ["update-ref", "-d", ref, ...expected] : ["update-ref", ref, to, ...expected];
  const attempt = async () => (await git(repository, args, { accept: [0, 1, 128] })).exitCode === 0;
  if (await attempt()) return true;
  return (await removeStaleLock(repository, ref)) ? attempt() : false;
}

export interface RefMove {
  readonly ref: string;
  /** Null deletes the ref. */
  readonly to: string | null;
  /** What it must hold, null for nothing. */
  readonly from?: string | null;
}

/**
 * Moves all of them or none, when nothing kills git meanwhile: it writes them in this order, so the ref that makes the others
 * count comes last. False when one holds something else.
 */
export async function moveOwnRefs(repository: Repository, moves: readonly RefMove[]): Promise<boolean> {
  const strange = moves.find(({ ref }) => !ref.startsWith(own) || /\s/.test(ref));
  if (strange) throw new TypeError(`${strange.ref} is not a ref of ours`);
  const lines = moves.map(({ ref, to, from }) => {
    const expected = from === undefined ? "" : ` ${from ?? "0".repeat(to?.length ?? 40)}`;
    return to === null ? `delete ${ref}${expected}\n` : `update ${ref} ${to}${expected}\n`;
  });
  const options = { stdin: lines.join(""), accept: [0, 1, 128] };
  const attempt = async () => (await git(repository, ["update-ref", "--stdin"], options)).exitCode === 0;
  if (await attempt()) return true;
  let freed = false;
  for (const { ref } of moves) freed = (await removeStaleLock(repository, ref)) || freed;
  return freed ? attempt() : false;
}

/** Waits for a lock that may be held. True when it is gone by now, so that another attempt makes sense. */
async function removeStaleLock({ commonDir }: Repository, ref: string): Promise<boolean> {
  const path = join(commonDir, `${ref}.lock`);
  const first = entryAt(path);
  if (!first?.isFile()) return false;
  const until = Date.now() + 2 * staleMs;
  for (;;) {
    const found = entryAt(path);
    if (found?.ino !== first.ino) return true;
    if (Date.now() - found.mtimeMs > staleMs && !isNamedByProcess(ref)) {
      rmSync(path, { force: true });
      return true;
    }
    if (Date.now() > until) return false;
    await timers.sleep(pollMs);
  }
}

/** A git process that writes a ref of ours is given its name as an argument, or it reads several names from its input. */
function isNamedByProcess(ref: string): boolean {
  return processIds().some((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
      return (
        pid !== process.pid && (words.includes(ref) || (words.includes("update-ref") && words.includes("--stdin")))
      );
    } catch (error) {
      // It ended meanwhile, or it is not ours to read.
      if (systemCode(error) === undefined) throw error;
      return false;
    }
  });
}
