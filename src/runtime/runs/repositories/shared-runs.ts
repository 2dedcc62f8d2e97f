// The runs of repositories that stay open between calls, so that fifty looks cost one opening. A store that was replaced is
// opened anew; runs are closed when the last call that uses them is over.
import { statSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../../core/contract/index.ts";
import type { RepositoryRuns } from "../../../operations/index.ts";
import { locateRepository } from "../../../platform/git/index.ts";

interface Held {
  readonly runs: Promise<RepositoryRuns>;
  readonly store: string;
  users: number;
  retired: boolean;
}

const mostOpen = 8;

/** The mark of the file that is there now; runs of another file show the past. */
function storeOf(stateDir: string): string {
  const found = statSync(join(stateDir, "store.db"), { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : "none";
}

export interface SharedRuns extends AsyncDisposable {
  open(folder: string): Promise<RepositoryRuns>;
}

/** Nobody waits for this closing: the caller of an opening that failed has its reason already. */
function unlessTrouble(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}

async function closeUnused(held: Held): Promise<void> {
  if (!held.retired || held.users > 0) return;
  const runs = await held.runs.catch(() => undefined);
  await runs?.[Symbol.asyncDispose]();
}

export function createSharedRuns(open: (folder: string) => Promise<RepositoryRuns>): SharedRuns {
  const current = new Map<string, Held>();
  const retire = async (root: string): Promise<void> => {
    const held = current.get(root);
    if (!held) return;
    current.delete(root);
    held.retired = true;
    await closeUnused(held);
  };
  const lend = async (held: Held): Promise<RepositoryRuns> => {
    held.users += 1;
    const back = async () => {
      held.users -= 1;
      await closeUnused(held);
    };
    try {
      return { ...(await held.runs), [Symbol.asyncDispose]: back };
    } catch (error) {
      await back();
      throw error;
    }
  };
  return {
    async open(folder) {
      const { root, stateDir } = locateRepository(folder);
      const store = storeOf(stateDir);
      const known = current.get(root);
      if (known && known.store === store && store !== "none") return lend(known);
      // Nothing is awaited before the new one is known: calls that come together share it.
      retire(root).catch(unlessTrouble);
      for (const oldest of current.keys()) {
        if (current.size < mostOpen) break;
        retire(oldest).catch(unlessTrouble);
      }
      const held: Held = { runs: open(root), store, users: 0, retired: false };
      // A failed opening is not kept: the next call tries again.
      held.runs.catch(() => current.get(root) === held && current.delete(root));
      current.set(root, held);
      return lend(held);
    },
    [Symbol.asyncDispose]: async () => {
      for (const root of current.keys()) await retire(root);
    },
  };
}
