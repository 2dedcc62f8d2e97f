// Lines that several gates show: paths, sizes, secrets, confinement.
import { visibleName, type PatchJudgement, type ResponseBrief } from "../../contract/index.ts";
import { counted } from "../facts/index.ts";
import type { Run } from "../state/index.ts";

type Contradiction = NonNullable<Extract<ResponseBrief, { contract: "implementation_result" }>["contradiction"]>;

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

/** In the words of the worker. */
export const contradictionLines = ({ test, requirement, why }: Contradiction): string[] => [
  ...(test === undefined ? [] : [`test: “${visibleName(test)}”`]),
  ...(requirement === undefined ? [] : [`requirement: “${visibleName(requirement)}”`]),
  `why: “${visibleName(why)}”`,
];

const descriptions = {
  bubblewrap:
    "sandbox: on, bubblewrap around every agent program and check; files of the checkout that hold logins are hidden from agents",
  none: "sandbox: NONE. Agent programs and checks run with your own rights: they can read and write everything that you can. Next step: install bubblewrap, or run all of this as another user or in a container",
} as const;

/** One line; none where the run was created before this was recorded. */
export function confinementLines({ inspection }: Run): string[] {
  return inspection?.confinement === undefined ? [] : [descriptions[inspection.confinement]];
}
