// Goal and criteria of a run that is about to start, for the person to change before the approval.
import type { ReadableGate } from "../../operations/run-data/index.ts";

export interface Restated {
  readonly goal: string;
  /** One on each line. */
  readonly criteria: string;
}

export const restatedOf = (goal: string, { summary }: ReadableGate): Restated => ({
  goal,
  criteria: (summary?.start?.criteria ?? []).join("\n"),
});

const linesOf = (text: string): string[] => text.split("\n").flatMap((one) => one.trim() || []);

/** The input of the approval: only what the person changed. */
export function restatedInput(begun: Restated, now: Restated): { goal?: string; acceptanceCriteria?: string[] } {
  const goal = now.goal.trim();
  const criteria = linesOf(now.criteria);
  const same = criteria.join("\n") === linesOf(begun.criteria).join("\n");
  return {
    ...(goal === "" || goal === begun.goal.trim() ? {} : { goal }),
    // A run has criteria: without one of the person's it is the goal itself.
    ...(same ? {} : { acceptanceCriteria: criteria.length > 0 ? criteria : ["The goal is met."] }),
  };
}

export const Restate = ({ now, set }: { now: Restated; set(now: Restated): void }) => (
  <details class="restate">
    <summary>Change the goal or what must be true</summary>
    <label>
      Goal
      <textarea rows={2} value={now.goal} onInput={(event) => set({ ...now, goal: event.currentTarget.value })} />
    </label>
    <label>
      Must be true at the end, one on each line
      <textarea
        rows={4}
        value={now.criteria}
        onInput={(event) => set({ ...now, criteria: event.currentTarget.value })}
      />
    </label>
  </details>
);
