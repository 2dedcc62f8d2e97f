// The report of test runners over our own channel, read line by line. Pure. Its lines come from the user's runner, in which
// judged code may run as well: nothing of it is trusted to be well-formed or short.
import { parseJson, recordOf } from "../../../core/contract/index.ts";
import type { Runner } from "../log/count.ts";
import { type NamedTests, steady } from "../log/names.ts";

/** One runner that reported: from its first line to its last. */
export interface RunnerSession {
  readonly runner: string;
  readonly tests: readonly { readonly name: string; readonly ended: string }[];
  /** Its last line: how many tests it was to run, where it knows, and whether it calls the run failed. */
  readonly end: { readonly planned: number | null; readonly failed: boolean } | null;
  /** Something arrived that our reporters do not write. */
  readonly foreign: boolean;
}

export interface TestReport {
  readonly runners: readonly Runner[];
  readonly sessions: number;
  /** Tests that ran, and those of them that failed. */
  readonly ran: number;
  readonly failed: number;
  readonly tests: NamedTests;
  /** Why the report does not add up. */
  readonly fault: string | null;
}

const isEnd = (value: unknown): value is "passed" | "failed" | "left" | "excused" =>
  value === "passed" || value === "failed" || value === "left" || value === "excused";

export function readSession(text: string): RunnerSession {
  const tests: { name: string; ended: string }[] = [];
  let runner = "";
  let end: RunnerSession["end"] = null;
  let foreign = !text.endsWith("\n");
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const record = recordOf(parseJson(line));
    const { name, ended, planned, failed } = record;
    if (end === null && runner === "" && typeof record["runner"] === "string") runner = record["runner"];
    else if (end === null && typeof name === "string" && isEnd(ended)) tests.push({ name: steady(name), ended });
    else if (end === null && typeof failed === "boolean")
      end = { planned: typeof planned === "number" ? planned : null, failed };
    else foreign = true;
  }
  return { runner, tests, end, foreign: foreign || runner === "" };
}

/** Null where no runner reported. */
export function reportOf(sessions: readonly RunnerSession[]): TestReport | null {
  if (sessions.length === 0) return null;
  const tests = sessions.flatMap((one) => one.tests);
  const named = (end: string) => tests.filter(({ ended }) => ended === end).map(({ name }) => name);
  return {
    runners: [...new Set(sessions.map(({ runner }) => runner as Runner))],
    sessions: sessions.length,
    ran: tests.filter(({ ended }) => ended !== "left").length,
    failed: named("failed").length,
    tests: { passed: named("passed"), failed: [...new Set(named("failed"))] },
    fault: sessions.map(faultOf).find((fault) => fault !== null) ?? null,
  };
}

function faultOf({ runner, tests, end, foreign }: RunnerSession): string | null {
  if (foreign) return "a program that is not a reporter wrote into its report";
  if (end === null) return `${runner} never reported that it came to its end`;
  if (end.failed && tests.every(({ ended }) => ended !== "failed")) return `${runner} calls the run failed`;
  // A test that is run again is reported again.
  if (end.planned !== null && end.planned > tests.length)
    return `${runner} was to run ${end.planned} tests and reported ${tests.length}`;
  return null;
}
