import { describe, expect, it } from "vitest";
import type { RunRow } from "../../core/contract/index.ts";
import type { RowQuery } from "../context/index.ts";
import { cursorBehind, newestRows, readCursor } from "./pages.ts";

/** 2,500 runs, two of each moment, newest first. */
const all: readonly RunRow[] = Array.from({ length: 2_500 }, (_none, index) => ({
  runId: `run_${String(2_500 - index).padStart(4, "0")}`,
  updatedAt: 10_000 - Math.floor(index / 2),
  createdAt: 1,
  seq: 1,
  goal: "",
  mode: "plan",
  state: index % 5 === 0 ? "failed" : "completed",
  brief: {},
}));

/** As a store gives them: a thousand at once, those behind a row. */
const runs = {
  rows: async ({ limit = 50, state, before }: RowQuery = {}) =>
    all
      .filter((row) => state === undefined || row.state === state)
      .filter(
        (row) =>
          !before ||
          row.updatedAt < before.updatedAt ||
          (row.updatedAt === before.updatedAt && row.runId < before.runId),
      )
      .slice(0, Math.min(limit, 1_000)),
};

describe("pages of runs", () => {
  it("[R-80] give as many as are wanted, also more than a store gives at once", async () => {
    expect(await newestRows(runs, { most: 2_400 })).toEqual(all.slice(0, 2_400));
    expect(await newestRows(runs, { most: 9_000, state: "failed" })).toHaveLength(500);
  });

  it.each([
    { most: 1, pages: 60 },
    { most: 7, pages: 20 },
    { most: 1_000, pages: 4 },
  ])("of $most name each run once, behind each other", async ({ most, pages }) => {
    const listed: RunRow[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await newestRows(runs, { most, before });
      listed.push(...rows);
      const last = rows.at(-1);
      if (last) cursor = cursorBehind(last);
    }
    expect(listed).toHaveLength(Math.min(most * pages, all.length));
    expect(listed).toEqual(all.slice(0, listed.length));
  });

  it.each(["", "x", "7", "7.", ".run_1", "-7.run_1", "7.run_1 OR 1", "7.../run", `7.${"r".repeat(65)}`])(
    "know no cursor %j",
    (cursor) => expect(() => readCursor(cursor)).toThrow(/no list of runs gave out this cursor/),
  );
});
