// The recorded results of whole sets of tests, as the test runner writes them, with the state of the files they belong to.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { State } from "./state.ts";

export const sets = ["default", "rest", "all", "crash", "fuzz", "agents", "projects"] as const;

interface TestResult {
  readonly fullName: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly meta?: { readonly assertions?: number };
}

export interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status?: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

export type Outcome = "passed" | "failed" | "skipped" | "empty";

export interface RanTest {
  readonly file: string;
  readonly title: string;
  readonly outcome: Outcome;
}

export const recordFile = (root: string, set: string): string => join(root, ".build", `results-${set}.json`);

/** A test that passed without asserting anything would pass whatever the code did. */
function outcomeOf({ status, meta }: TestResult): Outcome {
  if (status === "failed") return "failed";
  if (status !== "passed") return "skipped";
  return meta?.assertions === 0 ? "empty" : "passed";
}

/** The tests of every set that was recorded of this very state, and the sets that were recorded of another one. */
export function readRecords(
  root: string,
  now: State | undefined,
  among: readonly (typeof sets)[number][] = sets,
): {
  tests: RanTest[];
  stale: string[];
  /** Files that could not be loaded: none of their tests ran. */
  broken: string[];
} {
  const tests: RanTest[] = [];
  const broken: string[] = [];
  const stale: string[] = [];
  for (const set of among) {
    const path = recordFile(root, set);
    if (!existsSync(path)) continue;
    const results = JSON.parse(readFileSync(path, "utf8")) as Results & { readonly of?: State };
    if (!now || results.of?.tree !== now.tree) {
      stale.push(set);
      continue;
    }
    for (const { name, status, assertionResults } of results.testResults) {
      if (status === "failed" && !assertionResults.some((test) => test.status === "failed"))
        broken.push(relative(root, name));
      for (const test of assertionResults)
        tests.push({
          file: relative(root, name),
          title: [...test.ancestorTitles, test.title].join(" > "),
          outcome: outcomeOf(test),
        });
    }
  }
  return { tests, stale, broken };
}
