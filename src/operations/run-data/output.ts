// The fields of results about runs, as programs get them. Long texts and lists give way when a result would be too large.
import type { OutputShape } from "../define/index.ts";

/** The status of a run; it has more fields than a program needs. */
export const statusOutput = {
  runId: "string",
  state: "string",
  mode: "string",
  working: "boolean",
  stopReason: "string|null?",
  gate: "object|null?",
  latest: "object?",
  next: "array?",
  poll: "string?",
  decide: "string?",
} as const satisfies OutputShape;

/** Results of side tasks; the status of the run until there are any. */
export const sideTaskOutput = {
  runId: "string",
  results: "array?",
  waiting: "number?",
  gate: "object|null?",
  read: "string?",
  state: "string?",
  working: "boolean?",
  poll: "string?",
} as const satisfies OutputShape;
