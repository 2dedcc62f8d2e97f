// Runs that wait for a person behind the first page of a list. Loaded only where there is more than one page.
import type { RunRow } from "../../core/contract/index.ts";
import type { RepositoryRuns } from "../context/index.ts";
import { newestRows } from "./pages.ts";

export const waitingBehind = (
  list: Pick<RepositoryRuns, "rows">,
  { updatedAt, runId }: RunRow,
  most: number,
): Promise<RunRow[]> => newestRows(list, { most, state: "awaiting_approval", before: { updatedAt, runId } });
