// Where a run stands, for a program that drives it: under 4 kB as it travels, with the next call to make.
import { activityTold } from "../words/activity.ts";
import { fit } from "../fit/index.ts";
import type { RunStanding } from "./standing.ts";

const statusBytes = 3_700;

export function hosted({ status, idle, working, activities }: RunStanding, more: object = {}): unknown {
  const now = Date.now();
  const activity =
    activities.length === 0 ? {} : { activity: activities.map((one) => activityTold(one, now)) };
  const poll = working
    ? { poll: "It is being worked on: call thehood_status again in a few seconds." }
    : idle
      ? {}
      : { poll: "Nobody is at work on it: call thehood_continue, later if other runs are being worked on." };
  const decide =
    status.gate === null
      ? {}
      : { decide: "A person decides this gate: show them `gate` and the command in `next`." };
  return fit({ ...more, ...status, working, ...activity, ...poll, ...decide }, statusBytes);
}
