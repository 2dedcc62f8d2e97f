// The result of a check on the base commit, kept beside the run so that a later process compares with it instead of
// running the check again. It counts only in the surroundings that it was made in.
import { createHash } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import type { CheckSpec, CommandRunner, CheckResult } from "../../core/contract/index.ts";
import type { Repository } from "../../platform/git/index.ts";
import type { CheckRunResult } from "./run/run-check.ts";
import type { TestReport } from "./reporters/index.ts";
import { lacking, type NamedTests } from "./log/names.ts";

export type Baseline = Omit<CheckRunResult, "command" | "read" | "readsGit" | "rewritten">;

interface BaselineDeps {
  readonly repository: Repository;
  readonly runner: CommandRunner;
}

/** Variables that differ from shell to shell, or from call to call where there is no sandbox, and do not matter. */
const passing = /^(?:PWD|OLDPWD|SHLVL|_|THEHOOD_COMMAND)=|^(?:HOME|TMPDIR)=.*\/thehood-home-[^/]*$/;
const programs = ["sh", "node", "npm", "pnpm", "yarn", "bun", "python3", "go", "cargo", "make"];
const look = 'env; for name; do at=$(command -v "$name") && ls -lL "$at"; done; true';

/** A hash of everything around a check that may change its result: variables, programs, installed packages, sandbox, command. */
export async function surroundingsOf({ repository, runner }: BaselineDeps, spec: CheckSpec): Promise<string> {
  const { stdout } = await runner.run({
    argv: ["sh", "-c", look, "sh", ...new Set([...programs, spec.argv[0]])],
    cwd: repository.top,
    writable: [],
    network: false,
    inherit: true,
    timeoutMs: 20_000,
    maxOutputBytes: 1_000_000,
  });
  const seen = Buffer.from(stdout).toString("utf8").split("\n");
  const { id, argv, cwd, timeoutMs } = spec;
  const parts = [
    [id, argv, cwd, timeoutMs, process.version, await runner.confinement()],
    seen.filter((line) => !passing.test(line)).toSorted(),
    await installed(repository.top, cwd),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

const folders = ["node_modules", "node_modules/.bin", ".venv", "venv", "vendor", "deps"];

/** The installed packages by name and time, beside the check and at the top. */
async function installed(top: string, cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of new Set([top, join(top, cwd)].flatMap((at) => folders.map((name) => join(at, name)))))
    for (const name of (await promises.readdir(folder).catch(() => [])).toSorted()) {
      const stat = await promises.stat(join(folder, name)).catch(() => undefined);
      found.push(`${join(folder, name)} ${stat?.size ?? ""} ${stat?.mtimeMs ?? ""}`);
    }
  return found;
}

export const writeBaseline = (surroundings: string, { hasRunner, report, ...rest }: Baseline): string => {
  const { result, why, testsRun, silentFiles, tests } = rest;
  const kept: Baseline = { hasRunner, report, result, why, testsRun, silentFiles, tests };
  return JSON.stringify({ surroundings, kept });
};

/** Undefined where it was made in other surroundings. */
export function readBaseline(surroundings: string, text: string): Baseline | undefined {
  const made = JSON.parse(text) as { readonly surroundings: string; readonly kept: Baseline };
  return made.surroundings === surroundings ? made.kept : undefined;
}

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
