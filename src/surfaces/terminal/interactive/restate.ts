// Goal and criteria of a run that is about to start, as a text for the editor, and read from it.
import type { GateDelivery } from "../../../operations/index.ts";

const mark = "# What must be true at the end, one on each line:";
const help = "# Above the first of these lines stands the goal. An empty goal changes nothing.";

export const restateDraft = (goal: string, criteria: readonly string[]): string =>
  [goal, "", mark, ...criteria, "", help, ""].join("\n");

/** What the person changed; undefined where nothing is to change. */
export function readRestated(
  text: string | null,
  goal: string,
  criteria: readonly string[],
): Pick<GateDelivery, "goal" | "acceptanceCriteria"> | undefined {
  if (text === null) return undefined;
  const lines = text.split("\n").map((one) => one.trimEnd());
  const at = lines.indexOf(mark);
  const wanted = lines
    .slice(0, at < 0 ? lines.length : at)
    .filter((one) => one !== help)
    .join("\n")
    .trim();
  const named = at < 0 ? criteria : lines.slice(at + 1).flatMap((one) => (one.startsWith("#") ? [] : one.trim() || []));
  if (wanted === "") return undefined;
  const same = named.length === criteria.length && named.every((one, index) => one === criteria[index]);
  // A run has criteria: without one of the person's it is the goal itself.
  const kept = named.length > 0 ? named : ["The goal is met."];
  const changed = {
    ...(wanted === goal ? {} : { goal: wanted }),
    ...(same ? {} : { acceptanceCriteria: kept }),
  };
  return Object.keys(changed).length === 0 ? undefined : changed;
}
