// The measure of blind tests in words.
import { plainLine, type BlindTests } from "../../contract/index.ts";

/** Counts and the author, never a name or a text of a test: this also goes to agents whose words reach the worker. */
export function blindMeasure(tests: BlindTests): string {
  const { author, ran, proving, idle, failing, notRun } = tests;
  if (notRun !== undefined) return `not run: ${plainLine(notRun, 300)}`;
  const who = `of another agent (${author ?? "unknown"}), which did not see the work,`;
  const parts = [
    `${proving} of ${ran} blind ${ran === 1 ? "test" : "tests"} ${who} pass on it and fail on the base commit`,
    ...(idle > 0 ? [`${idle} pass on the base commit as well and say nothing about this work`] : []),
    ...(failing > 0 ? [`${failing} fail on this work`] : []),
  ];
  return parts.join("; ");
}
