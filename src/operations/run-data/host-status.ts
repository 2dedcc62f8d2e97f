// Where a run stands, for a program that drives it: under 4 kB as it travels, with the next call to make.
import { activityText } from "../text/activity.ts";
import { truncateToBytes } from "../truncate/index.ts";
import { describeWait } from "./row.ts";
import type { RunSnapshot } from "./snapshot.ts";

const statusBytes = 3_700;

export function hostStatus(
  { status, idle, working, waits, activities }: RunSnapshot,
  more: object = {},
): unknown {
  const now = Date.now();
  const activity =
    activities.length === 0 ? {} : { activity: activities.map((one) => activityText(one, now)) };
  const poll = working
    ? { poll: "It is being worked on: call thehood_status again in a few seconds." }
    : idle
      ? {}
      : waits
        ? { poll: `It ${describeWait(waits)}. Call thehood_status again later.` }
        : {
            poll: "Nobody is at work on it yet. If other runs are being worked on, it begins when one of them is done; else call thehood_continue.",
          };
  const decide =
    status.gate === null
      ? {}
      : { decide: "A person decides this gate: show them `gate` and the command in `next`." };
  return truncateToBytes({ ...more, ...status, working, ...activity, ...poll, ...decide }, statusBytes);
}
