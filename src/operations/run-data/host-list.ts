// A list of runs for a program, within a number of bytes for each run.
import { sentBytes } from "../truncate/index.ts";
import { compactRow, type ListedRuns } from "./row.ts";

const bytesARun = 385;

export function hostedList({ total, rows, nextCursor }: ListedRuns): unknown {
  const more = nextCursor === null ? {} : { nextCursor };
  const told = (most: number) => ({ total, runs: rows.map((row) => compactRow(row, most)), ...more });
  const short = [80, 50, 30, 15]
    .map(told)
    .find((one) => sentBytes(one) <= bytesARun * Math.max(1, rows.length));
  return short ?? { total, runs: rows.map((row) => ({ ...compactRow(row, 10), next: undefined })), ...more };
}
