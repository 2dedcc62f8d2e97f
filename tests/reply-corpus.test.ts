// The answer corpus: exact bytes or nothing, and the reason.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { extractReply } from "../src/core/patch/reply/index.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly response: string;
  readonly options?: { readonly require_ack?: string };
  readonly expect: {
    readonly selected: string | null;
    readonly reason: string;
    readonly diff_blocks?: number;
  };
}

const rowsOf = (file: string): Row[] =>
  readFileSync(join(import.meta.dirname, "corpus", file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
const rows = rowsOf("responses.jsonl");

describe("the answer corpus", () => {
  it.each(rows.map((row) => [row.id, row.title, row] as const))("[T-12] [T-13] [T-14] %s %s", (_id, _title, row) => {
    const ack = row.options?.require_ack;
    const reply = extractReply(row.response, ack === undefined ? {} : { requireAck: ack });
    expect({ selected: reply.selected, reason: reply.reason }).toEqual({
      selected: row.expect.selected,
      reason: row.expect.reason,
    });
    expect(reply.diffBlocks).toBe(row.expect.diff_blocks ?? reply.diffBlocks);
  });
});
