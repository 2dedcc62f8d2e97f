// The meaning of a check's end. A command that ended well may still have judged nothing; that is not a pass.
import type { CheckKind, CheckResult, CommandOutcome } from "../../../core/contract/index.ts";
import { type NamedTests, namedTests } from "../log/names.ts";
import type { TestReport } from "../reporters/index.ts";
import { countTests, plainLines, silentFiles, summaries, type Runner } from "../log/count.ts";

export interface CheckJudgement {
  readonly result: CheckResult;
  /** Why it counts as that, in one line. */
  readonly why: string;
  readonly testsRun: number | null;
  /** Files that ended well and reported no test, where the runner shows it. */
  readonly silentFiles: number | null;
  /** By name, where the runner names them. */
  readonly tests: NamedTests;
}

/** Messages of runners that found no test, whatever their exit code. */
const nothingSaid = [
  /Error: no test specified/,
  /^No tests? (?:files? )?found, exiting with code \d/m,
  /^No test files found/m,
  /^No tests found\.?$/m,
  /^Error: No tests found/m,
  /^collected 0 items$/m,
  /^NO TESTS RAN$/m,
  /^No tests executed!/m,
  /^No test is available in /m,
  /^\[INFO\] No tests to run\.$/m,
  /Couldn[’']t find any files to test/,
  /^error: No test modules found$/m,
];

/** make found that its target needs no work: because it has none, or because a file has its name. */
const idleMake = /^g?make(?:\[\d+\])?: (?:Nothing to be done for|.+ is up to date)/;

/** The program, or the module it needs, is not on this machine: that proves nothing about the tree. */
const missing = [
  /^(?:sh|bash|\/bin\/sh|env): .*?([\w@/.+-]+): (?:command )?not found$/m,
  /^.*?: (?:line )?\d+: ([\w@/.+-]+): not found$/m,
  /: No module named ['"]?(pytest|mypy|flake8|tox|ruff)['"]?$/m,
  /^npm (?:ERR!|error) could not determine executable to run$/m,
];

interface JudgedTree {
  /** Its script runs nothing that could judge. */
  readonly hollow: boolean;
  readonly hasFile: (path: string) => boolean;
  /** The runners that its command names; none when it names none that is known. */
  readonly runners?: readonly Runner[];
  /** The report of its runner over our own channel. */
  readonly report?: TestReport | null;
  /** Tests and definitions of checks that were changed while it ran. */
  readonly changed?: readonly string[];
}

export function judgeCheck(kind: CheckKind, run: CommandOutcome, tree: JudgedTree): CheckJudgement {
  const text = `${plainLines(run.stdout)}\n${plainLines(run.stderr)}`;
  // A report counts when it covers every runner that the command names; any program can write into the log.
  const whole = tree.runners?.every((runner) => tree.report?.runners.includes(runner)) ? tree.report : null;
  const testsRun = kind === "test" ? (whole?.ran ?? countTests(text, tree.runners)) : null;
  const say = (result: CheckResult, why: string): CheckJudgement => ({
    result,
    why,
    testsRun,
    silentFiles: kind === "test" ? silentFiles(text, tree.hasFile) : null,
    tests: kind === "test" ? (whole?.tests ?? namedTests(text, tree.runners ?? [])) : { passed: [], failed: [] },
  });
  if (run.ended === "not_started") return say("not_started", notStarted(run.error ?? "unknown reason"));
  if (run.ended === "aborted") return say("not_started", "was stopped before it ended");
  if (run.ended === "timeout")
    return say(
      "timed_out",
      `timed out: it did not end within its ${run.durationMs} ms (to allow more: thehood config set policy.budgets.checkTimeoutMs, or timeoutMs of the check)`,
    );
  if (run.ended === "output_limit") return say("failed", "printed more than is allowed and was ended");
  if (tree.hollow) return say("nothing_ran", "its script runs no program that could judge anything");
  if (run.exitCode !== 0 && run.exitCode !== null) {
    const gone = missingProgram(run.exitCode, text);
    if (gone) return say("not_started", gone);
  }
  if (
    run.exitCode === 0 &&
    text
      .trim()
      .split("\n")
      .every((line) => idleMake.test(line))
  )
    return say("nothing_ran", "make found nothing to do");
  if (kind === "test") {
    const empty = emptyRun(run.exitCode, text, testsRun);
    if (empty) return say("nothing_ran", empty);
  }
  if (run.exitCode === 0) {
    const doubt = contradiction(kind, text, tree);
    if (doubt) return say("failed", doubt);
    return say("passed", testsRun === null ? "ended with code 0" : `ended with code 0 after ${testsRun} tests`);
  }
  return say("failed", run.signal ? `was ended by ${run.signal}` : `ended with code ${run.exitCode}`);
}

/** Why exit code 0 is wrong: the runner reports failures, its numbers contradict each other, or its judge was changed. */
function contradiction(
  kind: CheckKind,
  text: string,
  { runners, report, changed = [] }: JudgedTree,
): string | undefined {
  const [first] = changed;
  if (first !== undefined)
    return `${first}${changed.length > 1 ? ` and ${changed.length - 1} more` : ""} was changed while it ran`;
  if (kind !== "test") return undefined;
  const doubt = report ? disagreement(report, text) : undefined;
  if (doubt) return doubt;
  for (const { runner, failed, conflict } of summaries(text, runners)) {
    if (failed > 0) return `${runner} reports ${failed} failed tests, although it ended with code 0`;
    if (conflict) return `${runner} was to run ${conflict[0]} tests and reported ${conflict[1]}`;
  }
  return undefined;
}

/** Exit code, failures and counts have to agree: the report with code 0, with itself, and with the log. */
function disagreement({ failed, fault, runners, ran }: TestReport, text: string): string | undefined {
  if (failed > 0) return `its runner reports ${failed} failed tests, although it ended with code 0`;
  if (fault !== null) return `${fault}, although it ended with code 0`;
  const counts = summaries(text, runners);
  const [only] = counts;
  return runners.length === 1 && counts.length === 1 && only && only.once && only.tests !== ran
    ? `its log shows ${only.tests} tests and its runner reports ${ran}`
    : undefined;
}

function emptyRun(exitCode: number | null, text: string, testsRun: number | null): string | undefined {
  if (exitCode === 5 && /pytest|collected 0 items|no tests ran/.test(text)) return "pytest collected no test";
  if (nothingSaid.some((pattern) => pattern.test(text))) return "its runner said that there is no test";
  return testsRun === 0 && exitCode === 0 ? "its runner ran 0 tests" : undefined;
}

/** The sandbox names the program that it did not find. */
function notStarted(error: string): string {
  const program = /^The program (\S+) (?:was not found|does not exist)/.exec(error)?.[1];
  return program === undefined ? `could not be started: ${error}` : `${program} is not installed`;
}

/** Modules that were never downloaded: nothing of the tree was judged. */
const missingModules = [
  /^.*(?:no required module provides package|missing go\.sum entry for|module lookup disabled by|dial tcp: lookup proxy\.golang\.org)/m,
  /^error: (?:no matching package named|failed to (?:download|get|load source for|fetch)|could not find `?\S+`? in registry)/m,
];

function missingProgram(exitCode: number, text: string): string | undefined {
  if (missingModules.some((pattern) => pattern.test(text))) return "modules that it needs are not downloaded";
  if (exitCode !== 127 && exitCode !== 126 && exitCode !== 1) return undefined;
  for (const pattern of exitCode === 1 ? missing.slice(2) : missing) {
    const match = pattern.exec(text);
    if (match) return `${match[1] ?? "a program that it needs"} is not installed`;
  }
  return exitCode === 127 ? "a program that it needs is not installed" : undefined;
}
