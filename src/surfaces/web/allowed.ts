// The operations that the page may ask for. Everything else is for a terminal. A phone sees and decides, and no more.
import type { operations } from "../../operations/index.ts";

type OperationName = (typeof operations)[number]["name"];

export type PageReach = "all" | "gates";

const gates = ["home", "gate", "timeline", "changes", "approve", "revise", "reject"] as const;
const all = [
  ...gates,
  "artifact page",
  "report",
  "run",
  "continue",
  "abort",
  "access",
  "teams",
  "roles",
  "check command",
  "check patch",
  "check secrets",
  "log verify",
  "gateway session",
] as const satisfies readonly OperationName[];

export const allowedFor: Readonly<Record<PageReach, readonly string[]>> = { gates, all };

/** Of `oracle`, looking at sessions. */
export const oracleNames: readonly string[] = ["status", "session"];
