// The queue on one screen: gates first, then runs under way, then what waits, in its order.
import type { QueuedState, QueueRow, QueueView } from "../../../operations/run-data/index.ts";
import { safe } from "./list.ts";
import { texts } from "./view.ts";

const headings: readonly (readonly [QueuedState, string])[] = [
  ["waits_for_you", "waiting for you"],
  ["running", "under way"],
  ["waiting", "waiting for their turn"],
  ["set_aside", "set aside after failures (thehood queue top RUN tries again)"],
  ["missing", "cannot be read"],
  ["over", "over"],
];

const line = ({ runId, goal, doing, state, trouble }: QueueRow): string => {
  const stuck = state === "waiting" || state === "set_aside";
  const words = stuck ? trouble : doing;
  const what = words === null ? "" : `\n      ${safe(words).slice(0, 200)}`;
  return `  ${runId}  ${safe(goal).slice(0, 60)}${what}`;
};

export const queued = texts<QueueView>(({ paused, rows }, { style }) => {
  const parts = headings.flatMap(([state, words]) => {
    const these = rows.filter((row) => row.state === state);
    return these.length === 0 ? [] : [style.bold(`${these.length} ${words}`), ...these.map(line)];
  });
  const head = paused ? [style.yellow("The queue is paused: thehood queue pause --off goes on.")] : [];
  const asks = rows.find(({ state }) => state === "waits_for_you");
  const way = asks ? [`→ thehood approve ${asks.runId}`] : [];
  return `${[...head, ...(parts.length === 0 ? ["The queue is empty."] : parts), ...way].join("\n")}\n`;
});

export const unit = texts<{ readonly unit: string }>((result) => result.unit);
