// Where a run stands, for a program that drives it: under 4 kB as it travels, with the next call to make.
import { activityTold } from "../words/activity.ts";
import { fit } from "../fit/index.ts";
import { waitWords } from "./row.ts";
import type { RunStanding } from "./standing.ts";

const statusBytes = 3_700;

export function hosted(
  { status, idle, working, waits, activities }: RunStanding,
  more: object = {},
): unknown {
  const now = Date.now();
  const activity =
    activities.length === 0 ? {} : { activity: activities.map((one) => activityTold(one, now)) };
  const poll = working
    ? { poll: "It is being worked on: call thehood_status again in a few seconds." }
    : idle
      ? {}
      : waits
        ? { poll: `It ${waitWords(waits)}. Call thehood_status again later.` }
        : {
            poll: "Nobody is at work on it yet. If other runs are being worked on, it begins when one of them is done; else call thehood_continue.",
          };
  const decide =
    status.gate === null
      ? {}
      : { decide: "A person decides this gate: show them `gate` and the command in `next`." };
  return fit({ ...more, ...status, working, ...activity, ...poll, ...decide }, statusBytes);
}
