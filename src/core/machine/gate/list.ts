// Paths and sizes as lines of a gate.
import { visibleName, type PatchJudgement } from "../../contract/index.ts";
import { counted } from "../facts/index.ts";
import { hasFlag } from "../flags.ts";
import type { Run } from "../state/index.ts";

export function sizeLine(run: Run, { addedLines, removedLines, paths }: PatchJudgement): string {
  const added = hasFlag(run, "numbersInPlainWords")
    ? counted(run, addedLines, "line")
    : `${addedLines} lines`;
  return `${added} added, ${removedLines} removed, in ${counted(run, paths.length, "path")}:`;
}

export const secretLines = (run: Run, { secretCount: count }: PatchJudgement): string[] => {
  const looks =
    count === 1 && hasFlag(run, "numbersInPlainWords") ? "looks like a secret" : "look like secrets";
  return count > 0 ? [`- ${counted(run, count, "thing")} in it ${looks}`] : [];
};

export const list = (paths: readonly string[], most = 40): string[] => [
  ...paths.slice(0, most).map((path) => `- ${visibleName(path)}`),
  ...(paths.length > most ? [`- and ${paths.length - most} more`] : []),
];
