// A second try for the few files that failed, alone and one after the other. A test that then passes is unsteady: it is
// told by name as a fault to find, and it does not hide the results of all the others.
import type { Results } from "./record.ts";

/** More files than this fail for a reason of their own: trying them again would only take time. */
const mostFiles = 5;

type FileResult = Results["testResults"][number];

const hasFailed = ({ status, assertionResults }: FileResult): boolean =>
  status === "failed" || assertionResults.some((test) => test.status === "failed");

/** The files to try again; none where nothing failed or too much did, or where an error belonged to no test. */
export function filesToTryAgain({ testResults }: Results, looseErrors: number): string[] {
  if (looseErrors > 0) return [];
  const failed = testResults.filter(hasFailed).map(({ name }) => name);
  return failed.length > mostFiles ? [] : failed;
}

const countOf = (files: readonly FileResult[], status: string): number =>
  files.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;

/** The results with those of the second try in place of the first. */
export function withSecondTry(first: Results, second: Results): Results {
  const tried = new Map(second.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => tried.get(file.name) ?? file);
  return {
    ...first,
    testResults,
    numPassedTests: countOf(testResults, "passed"),
    numFailedTests: countOf(testResults, "failed"),
  };
}

/** The tests that failed beside the others and passed alone. */
export function unsteadyTests(first: Results, second: Results): string[] {
  const passed = new Set(
    second.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(({ status }) => status === "passed").map((test) => `${name} ${test.fullName}`),
    ),
  );
  return first.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === "failed" && passed.has(`${name} ${test.fullName}`))
      .map(({ fullName }) => fullName),
  );
}
