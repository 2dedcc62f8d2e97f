// Runs a judge over the lines of one set and counts both directions: what it misses, and what it finds without need.
import { readFileSync } from "node:fs";
import type { CommandJudge } from "../../src/core/commands/index.ts";
import { findSecrets, redact } from "../../src/core/secrets/index.ts";
import type { MeasuredSet, Meaning } from "./sets.ts";

interface Case {
  readonly id?: string | number;
  readonly cmd?: string;
  readonly text?: string;
  readonly file?: string;
  readonly label?: string;
  readonly asked?: boolean;
  readonly expect?: readonly (string | { readonly value: string })[];
}

export interface Count {
  readonly hits: number;
  readonly all: number;
}

export interface Measured {
  readonly set: MeasuredSet;
  readonly counts: Readonly<Record<Meaning, Count>>;
  /** Single values, where a case names them. */
  readonly values: Count;
  readonly missed: readonly string[];
  readonly labels: readonly string[];
}

const none: Count = { hits: 0, all: 0 };
const plus = ({ hits, all }: Count, hit: boolean): Count => ({ hits: hits + (hit ? 1 : 0), all: all + 1 });

export function readCases(path: string): Case[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Case);
}

export function measure(set: MeasuredSet, cases: readonly Case[], commands: CommandJudge): Measured {
  const counts: Record<Meaning, Count> = { must: none, free: none, apart: none };
  const strange = new Set<string>();
  const missed: string[] = [];
  let values = none;
  for (const [index, one] of cases.entries()) {
    const label = one.label ?? (one.asked === true ? "asked" : "free");
    const meaning = set.labels[label];
    if (meaning === undefined) {
      strange.add(label);
      continue;
    }
    const hit = isHit(set, one, commands);
    counts[meaning] = plus(counts[meaning], hit);
    if (meaning === "must" && !hit) missed.push(String(one.id ?? index + 1));
    for (const gone of goneValues(one)) values = plus(values, gone);
  }
  return { set, counts, values, missed, labels: [...strange] };
}

function isHit(set: MeasuredSet, one: Case, commands: CommandJudge): boolean {
  if (set.judge === "command")
    return commands.classify(one.cmd ?? "", { ...set.workspace, ...(set.where ? { where: set.where } : {}) }).gated;
  return findSecrets(one.text ?? "", one.file === undefined ? {} : { file: one.file }).length > 0;
}

/** Whether each value that the case names is gone after redaction. */
function goneValues({ text = "", file, expect = [] }: Case): boolean[] {
  if (expect.length === 0) return [];
  const clean = redact(text, file === undefined ? {} : { file }).text;
  return expect.map((value) => !clean.includes(typeof value === "string" ? value : value.value));
}
