// One suite that every provider joins: the promises of the port, checked from outside. A test file runs the cases.
import { answerCases, wordCases } from "./answers.ts";
import type { ConformanceCase } from "./ask.ts";
import { editCases } from "./edits.ts";
import { endCases } from "./ends.ts";
import { busyCases, modelCases, presenceCases } from "./presence.ts";
import type { ConformanceSubject } from "./subject.ts";

export type { ConformanceCase } from "./ask.ts";
export { processesIn } from "./place.ts";
export {
  sceneNames,
  type Cannot,
  type ConformanceSubject,
  type Scene,
  type SceneMaker,
  type SceneName,
} from "./subject.ts";

export function providerConformance(subject: ConformanceSubject): ConformanceCase[] {
  return [
    ...answerCases(subject),
    ...editCases(subject),
    ...wordCases(subject),
    ...endCases(subject),
    ...busyCases(subject),
    ...presenceCases(subject),
    ...modelCases(subject),
  ];
}

/** The title of a test, with the reason when it is skipped. */
export const titleOf = ({ title, skip }: ConformanceCase): string =>
  skip === undefined ? title : `${title} (skipped: ${skip})`;
