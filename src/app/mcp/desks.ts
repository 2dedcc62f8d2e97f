// Desks that stay open between calls, so that fifty looks cost one opening. A store that was replaced is opened anew; a
// desk is closed when the last call that uses it is over.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryRuns } from "../../operations/index.ts";
import { findPlace } from "../../git/index.ts";

interface Held {
  readonly desk: Promise<RepositoryRuns>;
  readonly store: string;
  users: number;
  retired: boolean;
}

const mostDesks = 8;

/** Which file is there now; a desk of another one shows the past. */
function storeOf(stateDir: string): string {
  const found = statSync(join(stateDir, "store.db"), { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : "none";
}

export interface Desks extends AsyncDisposable {
  open(folder: string): Promise<RepositoryRuns>;
}

async function closeUnused(held: Held): Promise<void> {
  if (!held.retired || held.users > 0) return;
  const desk = await held.desk.catch(() => undefined);
  await desk?.[Symbol.asyncDispose]();
}

export function createDesks(open: (folder: string) => Promise<RepositoryRuns>): Desks {
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
      return { ...(await held.desk), [Symbol.asyncDispose]: back };
    } catch (error) {
      await back();
      throw error;
    }
  };
  return {
    async open(folder) {
      const { root, stateDir } = findPlace(folder);
      const store = storeOf(stateDir);
      const known = current.get(root);
      if (known && known.store === store && store !== "none") return lend(known);
      // Nothing is awaited up to where the new one is known: calls that come together share it.
      void retire(root);
      for (const oldest of current.keys()) {
        if (current.size < mostDesks) break;
        void retire(oldest);
      }
      const held: Held = { desk: open(root), store, users: 0, retired: false };
      // What cannot be opened is not kept: the next call tries again.
      held.desk.catch(() => current.get(root) === held && current.delete(root));
      current.set(root, held);
      return lend(held);
    },
    [Symbol.asyncDispose]: async () => {
      for (const root of current.keys()) await retire(root);
    },
  };
}
