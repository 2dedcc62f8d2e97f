// The list of runs, read from the store's rows alone: no engine, no views, nothing that grows with what runs hold.
import type { RunList } from "../../operations/index.ts";
import { openStore } from "../../store/index.ts";
import { findOwnPlace } from "../place.ts";
import { clock } from "../time.ts";

export function openList(folder: string): RunList {
  const store = openStore(findOwnPlace(folder).stateDir, { clock, mode: "read" });
  return {
    rows: (query) => store.log.list(query),
    count: () => store.log.count(),
    [Symbol.dispose]: () => store.close(),
  };
}
