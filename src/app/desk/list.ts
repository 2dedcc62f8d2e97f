// The list of runs, read from the store's rows alone: no engine, no views, nothing that grows with what runs hold.
import type { RunList } from "../../operations/index.ts";
import { openStore } from "../../store/index.ts";
import { findOwnPlace } from "../../git/index.ts";
import { clock } from "../../system/index.ts";

export async function openList(folder: string): Promise<RunList> {
  const { stateDir } = await findOwnPlace(folder);
  const store = openStore(stateDir, { clock, mode: "read" });
  return {
    rows: (query) => store.log.list(query),
    count: () => store.log.count(),
    held: async (runId) => (await store.leases.holder(runId)) !== undefined,
    [Symbol.asyncDispose]: () => store.close(),
  };
}
