import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandClass } from "../contract/index.ts";
import { loadJudge, readRows } from "../../../tests/support/commands/load.ts";

interface Row {
  readonly cmd: string;
  readonly class: CommandClass;
  readonly gated: boolean;
}

const rows = readRows<Row>(join(import.meta.dirname, "../../../tests/corpus/command-lines.jsonl"));
const { classify } = await loadJudge();

describe("[S-9] lines of every family", () => {
  for (const kind of new Set(rows.map((row) => `${row.class} ${row.gated ? "asked about" : "not asked about"}`))) {
    const own = rows.filter((row) => `${row.class} ${row.gated ? "asked about" : "not asked about"}` === kind);
    it(`${own.length} lines are ${kind}`, () => {
      const wrong = own.flatMap((row) => {
        const verdict = classify(row.cmd);
        return verdict.class === row.class && verdict.gated === row.gated
          ? []
          : [`${row.cmd} → ${verdict.class} ${verdict.gated}: ${verdict.why}`];
      });
      expect(wrong).toEqual([]);
    });
  }
});
