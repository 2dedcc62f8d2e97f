// Commands that look at runs.
import type { CommandSpec } from "../spec.ts";
import { latestRun, run } from "./run-words.ts";

/** As the record names them; written out, because help needs nothing else of the contract. */
export const states = [
  "created",
  "planning",
  "delegating",
  "implementing",
  "integrating",
  "verifying",
  "critiquing",
  "awaiting_approval",
  "completed",
  "failed",
  "aborted",
] as const;

const look = async () => import("./look.ts");
const side = async () => import("./side.ts");
const group = "Look";

export const lookTable: readonly CommandSpec[] = [
  {
    name: "status",
    group,
    summary: "Where runs stand; with a run, where it stands and what it waits for",
    args: [{ ...run, optional: true }],
    options: [{ name: "limit", value: "n", help: "how many runs to list (default 20)" }],
    examples: ["thehood status", "thehood status run_0mwh --verbose   # everything that a gate shows"],
    load: async () => (await import("./status.ts")).status,
  },
  {
    name: "runs",
    group,
    summary: "List runs, newest first",
    options: [
      { name: "limit", value: "n", help: "how many (default 20)" },
      { name: "state", value: "state", choices: states, help: "only runs in this state" },
    ],
    examples: ["thehood runs --state awaiting_approval", "thehood runs --limit 100 --json"],
    load: async () => (await import("./status.ts")).runs,
  },
  {
    name: "show",
    group,
    summary: "Everything about a run: lanes, board, trails, handoffs",
    args: [latestRun],
    examples: ["thehood show run_0mwh", "thehood show run_0mwh --json"],
    load: async () => (await look()).show,
  },
  {
    name: "logs",
    group,
    summary: "The events of a run",
    args: [latestRun],
    options: [{ name: "from", value: "seq", help: "start at this event" }],
    examples: ["thehood logs run_0mwh --from 40"],
    load: async () => (await look()).logs,
  },
  {
    name: "watch",
    group,
    summary: "Follow a run live",
    args: [latestRun],
    options: [{ name: "from", value: "seq", help: "start at this event" }],
    more: "Ends when the run ends; Ctrl-C stops looking and leaves the run alone. With --json each event is one line.",
    examples: ["thehood watch", "thehood watch run_0mwh --json | jq .event.type"],
    load: async () => (await import("./watch.ts")).watch,
  },
  {
    name: "diff",
    group,
    summary: "The change a run captured, byte for byte",
    args: [latestRun],
    more: "In a pipe and a file every byte is as captured; on a terminal control characters are left out.",
    examples: ["thehood diff run_0mwh > change.patch", "thehood diff | git apply --check"],
    load: async () => (await look()).diff,
  },
  {
    name: "artifact",
    group,
    summary: "Print an artifact",
    args: [run, { name: "ref", help: "an artifact ref, or a unique beginning of its hash" }],
    options: [
      { name: "max-bytes", value: "n", help: "at most this much (default: all)" },
      { name: "offset", value: "n", help: "start here" },
    ],
    more: "thehood show lists the artifacts of a run.",
    examples: [
      "thehood artifact run_0mwh 3f2a9c01d4e7",
      "thehood artifact run_0mwh 3f2a9c01d4e7 --max-bytes 2000",
    ],
    load: async () => (await look()).artifact,
  },
  {
    name: "report",
    group,
    summary: "The final report of a run",
    args: [latestRun],
    examples: ["thehood report", "thehood report run_0mwh > report.md"],
    load: async () => (await look()).report,
  },
  {
    name: "evidence",
    group,
    summary: "Capture git status and diff now, as evidence of a run",
    args: [latestRun],
    examples: ["thehood evidence run_0mwh"],
    load: async () => (await side()).evidence,
  },
];
