// Reads a checkout for clients: programs that may read it and nothing else.
import type { Repository } from "../../../../platform/git/index.ts";
import { gitDiff, gitState } from "./git-reads.ts";
import { sharedFolder, type Veil } from "./shared-folder.ts";
import { readForHost, tree } from "./files-and-tree.ts";
import { search, type SearchQuery } from "./search.ts";

interface LookOptions {
  readonly root: string;
  readonly repository: Repository | undefined;
  readonly veil: Veil;
}

/** Few at a time: each of these starts a process or reads many files. */
const atOnce = 4;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place goes to the call that waits longest, or is free again.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export function createRepositoryReader({ root, repository, veil }: LookOptions) {
  const shared = sharedFolder(root, repository);
  return {
    tree: (query: Parameters<typeof tree>[1]) => inTurn(() => tree(shared, query, veil)),
    search: (query: SearchQuery, signal: AbortSignal) => inTurn(() => search(shared, query, veil, signal)),
    read: async (path: string) => readForHost(shared, path, veil),
    status: (limit: number) => inTurn(() => gitState(shared, limit, veil)),
    diff: (query: Parameters<typeof gitDiff>[1]) => inTurn(() => gitDiff(shared, query, veil)),
  };
}
