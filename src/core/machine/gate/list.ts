// Paths and sizes as lines of a gate.
import { visibleName, type PatchJudgement } from "../../contract/index.ts";
import { counted } from "../facts/index.ts";

export const sizeLine = ({ addedLines, removedLines, paths }: PatchJudgement): string =>
  `${counted(addedLines, "line")} added, ${removedLines} removed, in ${counted(paths.length, "path")}:`;

export const secretLines = ({ secretCount: count }: PatchJudgement): string[] => {
  const looks = count === 1 ? "looks like a secret" : "look like secrets";
  return count > 0 ? [`- ${counted(count, "thing")} in it ${looks}`] : [];
};

export const list = (paths: readonly string[], most = 40): string[] => [
  ...paths.slice(0, most).map((path) => `- ${visibleName(path)}`),
  ...(paths.length > most ? [`- and ${paths.length - most} more`] : []),
];
