// The present work of a run in a few numbers, for the row of a list.
import type { Run } from "../../state/index.ts";
import { checkRows, noticedMistakes } from "./checks.ts";

export interface WorkNumbers {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Checks that pass, and all of them. */
  readonly passing: number;
  readonly checks: number;
  /** Mistakes planted in the changed lines, and those of them that a check noticed. */
  readonly planted: number;
  readonly noticed: number;
}

export function workNumbers(run: Run): { readonly work?: WorkNumbers } {
  const pass = run.passes.at(-1);
  if (!pass?.judgement || !pass.validation || run.created.baseTree === null) return {};
  const { paths, addedLines, removedLines } = pass.judgement;
  const rows = checkRows(run, pass);
  const { planted, noticed } = noticedMistakes(run, pass);
  const passing = rows.filter(({ passes }) => passes).length;
  const work = { files: paths.length, added: addedLines, removed: removedLines, passing, checks: rows.length };
  return { work: { ...work, planted, noticed } };
}
