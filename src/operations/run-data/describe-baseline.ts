// The last known result of a check on the commit that is checked out, in words.
import type { CheckResult } from "../../core/contract/index.ts";
import type { CheckRow } from "../context/index.ts";

export const describeResult: Readonly<Record<CheckResult, string>> = {
  passed: "passes",
  failed: "fails",
  timed_out: "timed out",
  not_started: "cannot run",
  nothing_ran: "ran no test",
};

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const describeBaseline = (baseline: CheckRow["baseline"]): string =>
  baseline === null
    ? "not run on this commit yet"
    : `${describeResult[baseline.result]} on this commit (${seconds(baseline.durationMs)})${baseline.note ? `: ${baseline.note}` : ""}`;
