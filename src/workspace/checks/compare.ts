// Compares the tests of two trees by name.
import type { CheckResult } from "../../core/contract/index.ts";
import type { TestReport } from "./reporters/index.ts";
import { lacking, type NamedTests } from "./log/names.ts";

interface Named {
  readonly result: CheckResult;
  readonly tests: NamedTests;
}

interface Compared {
  readonly missingTests?: string[];
  readonly newlyFailing?: string[];
}

const most = 20;

/** Nothing where one of the two names no test: a runner that names none is compared by its count. */
export function compareTests(base: Named, work: Named): Compared {
  const [had, has] = [base.tests, work.tests];
  if (had.passed.length === 0 || has.passed.length + has.failed.length === 0) return {};
  if (work.result === "passed") {
    const missing = [...new Set(lacking(had.passed, has.passed))].slice(0, most);
    return missing.length > 0 ? { missingTests: missing } : {};
  }
  const failing =
    base.result === "failed"
      ? has.failed.filter((name) => had.passed.includes(name) && !had.failed.includes(name))
      : [];
  return failing.length > 0 ? { newlyFailing: failing.slice(0, most) } : {};
}

interface Reported {
  readonly result: CheckResult;
  readonly report: TestReport | null;
}

/** Why a pass is not to be believed: under the same rules as many runners report as on the base, no fewer and no more. */
export function lostReport(base: Reported, work: Reported): string | undefined {
  const [had, has] = [base.report?.sessions ?? 0, work.report?.sessions ?? 0];
  if (work.result !== "passed" || base.result === "not_started" || had === has) return undefined;
  return has < had
    ? `it passes, and ${had - has} of its ${had} runners no longer report; on the base commit they do`
    : had > 0
      ? `it passes, and ${has} runners report where ${had} did on the base commit`
      : undefined;
}

/** New tests that pass on the base as well. `onBase`: the work's tests on the base's source. */
export function idleTests(base: NamedTests, work: NamedTests, onBase: NamedTests): string[] {
  const added = lacking(work.passed, [...base.passed, ...base.failed]);
  return [...new Set(added.filter((name) => onBase.passed.includes(name)))].slice(0, most);
}
