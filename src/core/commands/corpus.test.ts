import { join } from "node:path";
import { expect, it } from "vitest";
import type { CommandClass } from "../contract/index.ts";
import { loadJudge, readRows } from "../../../tests/support/commands/load.ts";

interface Row {
  readonly id: string;
  readonly cmd: string;
  readonly accept: readonly CommandClass[];
  readonly approval: "required" | "not_required" | "either";
}

const rows = readRows<Row>(join(import.meta.dirname, "../../../tests/corpus/commands.jsonl"));
const { classify, classifyArgv } = await loadJudge();
const judged = rows.map((row) => ({ ...row, verdict: classify(row.cmd) }));
const tell = (list: typeof judged) => list.map(({ id, cmd, verdict }) => `${id} ${cmd} → ${verdict.class}`);

it("[S-9] no command of the corpus that must be asked about goes unasked", () => {
  expect(tell(judged.filter(({ approval, verdict }) => approval === "required" && !verdict.gated))).toEqual([]);
});

it("[S-9] every command of the corpus gets a class that counts as right", () => {
  expect(tell(judged.filter(({ accept, verdict }) => !accept.includes(verdict.class)))).toEqual([]);
});

it("[S-9] no command of the corpus that only reads is asked about", () => {
  expect(tell(judged.filter(({ approval, verdict }) => approval === "not_required" && verdict.gated))).toEqual([]);
});

it("[S-9] the same words given as arguments, without a shell, are judged the same", () => {
  const simple = judged.filter(({ cmd }) => /^[\w ./:=@-]+$/.test(cmd) && !/^\w+=|~/.test(cmd));
  expect(simple.length).toBeGreaterThan(100);
  const differing = simple.filter(({ cmd, verdict }) => classifyArgv(cmd.split(" ")).class !== verdict.class);
  expect(tell(differing)).toEqual([]);
});
