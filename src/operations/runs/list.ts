// Listing runs within a number of bytes.
import { z } from "zod";
import { runStates } from "../../contract/index.ts";
import { sentBytes } from "../fit.ts";
import { operation } from "../operation.ts";
import { compactRow, standingRows } from "./row.ts";

const bytesARun = 385;

export const runs = operation(
  z.strictObject({
    limit: z.int().min(1).max(100).default(20).describe("At most this many, newest first."),
    state: z.enum(runStates).optional().describe("Only runs in this state."),
  }),
  async ({ limit, state }, { given, repo }) => {
    await using list = await given.runs(repo);
    const rows = await standingRows(list, { limit, ...(state === undefined ? {} : { state }) });
    const total = await list.count();
    const told = (most: number) => ({ total, runs: rows.map((row) => compactRow(row, most)) });
    const short = [80, 50, 30, 15]
      .map(told)
      .find((one) => sentBytes(one) <= bytesARun * Math.max(1, rows.length));
    return short ?? { total, runs: rows.map((row) => ({ ...compactRow(row, 10), next: undefined })) };
  },
);
