// Results about runs as a program gets them: each within a number of bytes, with the next call to make.
import { activityText } from "../text/activity.ts";
import { truncateToBytes, sentBytes } from "../truncate.ts";
import { describeWait, compactRow, type ListedRuns } from "./row.ts";
import type { RunSnapshot } from "./snapshot.ts";
import type { SideTaskOutcome } from "./side-task.ts";

const statusBytes = 3_700;

export function hostStatus({ status, idle, working, waits, activities }: RunSnapshot, more: object = {}): unknown {
  const now = Date.now();
  const activity = activities.length === 0 ? {} : { activity: activities.map((one) => activityText(one, now)) };
  const poll = working
    ? { poll: "It is being worked on: call thehood_status again in a few seconds." }
    : idle
      ? {}
      : waits
        ? { poll: `It ${describeWait(waits)}. Call thehood_status again later.` }
        : {
            poll: "No process works on it yet. If other runs are being worked on, it begins when one of them is done; else call thehood_continue.",
          };
  const decide =
    status.gate === null ? {} : { decide: "A person decides this gate: show them `gate` and the command in `next`." };
  return truncateToBytes({ ...more, ...status, working, ...activity, ...poll, ...decide }, statusBytes);
}

export function hostSideTasks({ standing, results, waiting, gate }: SideTaskOutcome): unknown {
  if (results.length === 0) return hostStatus(standing);
  const read = "thehood_read_artifact with an artifact of `results`.";
  const shown = gate ? { id: gate.id, kind: gate.kind, title: gate.title } : null;
  return truncateToBytes({ runId: standing.runId, results, waiting, gate: shown, read }, 5_500);
}

const bytesARun = 385;

export function hostedList({ total, rows, nextCursor }: ListedRuns): unknown {
  const more = nextCursor === null ? {} : { nextCursor };
  const listOf = (most: number) => ({ total, runs: rows.map((row) => compactRow(row, most)), ...more });
  const short = [80, 50, 30, 15].map(listOf).find((one) => sentBytes(one) <= bytesARun * Math.max(1, rows.length));
  return short ?? { total, runs: rows.map((row) => ({ ...compactRow(row, 10), next: undefined })), ...more };
}
