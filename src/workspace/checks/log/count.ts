// Reads from a runner's output how many tests it ran; null when the output has no known form.

const longestLine = 400;

/**
 * Without colours, and with every line cut: what is read here was printed by the code under judgement, which must not be
 * able to keep a pattern busy.
 */
export function plainLines(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text
    .split("\n")
    .map((line) =>
      line
        .slice(0, 2 * longestLine)
        .replaceAll(/\u001b\[[0-9;]{0,20}[A-Za-z]/g, "")
        .slice(0, longestLine)
        .trimEnd(),
    )
    .join("\n");
}

/** A runner whose summary is known. */
export type Runner =
  | "node"
  | "cargo"
  | "jest"
  | "vitest"
  | "pytest"
  | "unittest"
  | "mocha"
  | "rspec"
  | "minitest"
  | "exunit"
  | "phpunit"
  | "maven"
  | "dotnet"
  | "deno"
  | "ctest"
  | "tap"
  | "go";

interface Reader {
  readonly runner: Runner;
  readonly pattern: RegExp;
  /** From all matches of the pattern. */
  readonly count: (matches: readonly RegExpMatchArray[]) => number;
  /** Tests that its number counts although they did not run: skipped, pending, still to be written. */
  readonly minus?: RegExp;
  /** The failures in its last summary: every group is a number of failed tests. */
  readonly failed?: RegExp;
  /** How many tests it announced, against how many it reported; both from the whole text. */
  readonly agrees?: (text: string) => readonly [announced: number, reported: number] | undefined;
}

const numbers = (text: string): number =>
  [...text.matchAll(/(\d+) (?:passed|failed|skipped|error|errors|xfailed|xpassed|total|todo|deselected)/g)]
    .filter((match) => !/skipped|total|todo|deselected/.test(match[0]))
    .reduce((sum, match) => sum + Number(match[1]), 0);

const first = (matches: readonly RegExpMatchArray[]) => Number(matches[0]?.[1] ?? 0);
const last = (matches: readonly RegExpMatchArray[]) => Number(matches.at(-1)?.[1] ?? 0);
const total = (matches: readonly RegExpMatchArray[]) => matches.reduce((sum, match) => sum + Number(match[1]), 0);
const sumOf = (text: string, pattern: RegExp) => total([...text.matchAll(pattern)]);

/** Every suite announces its tests, and its result counts each of them once. */
function cargoAgrees(text: string): readonly [number, number] | undefined {
  const announced = [...text.matchAll(/^running (\d+) tests?$/gm)];
  const results = [
    ...text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed(?:; (\d+) ignored)?(?:; (\d+) measured)?/gm),
  ];
  if (announced.length === 0) return undefined;
  const reported = results.reduce(
    (sum, one) => sum + one.slice(1, 5).reduce((all, count) => all + Number(count ?? 0), 0),
    0,
  );
  return [total(announced), reported];
}

function nodeAgrees(text: string): readonly [number, number] | undefined {
  const reported = sumOf(text, /^(?:#|ℹ) (?:pass|fail|cancelled|skipped|todo) (\d+)$/gm);
  return /^(?:#|ℹ) pass \d+$/m.test(text) ? [sumOf(text, /^(?:#|ℹ) tests (\d+)$/gm), reported] : undefined;
}

function pytestAgrees(text: string): readonly [number, number] | undefined {
  const collected = /^collected (\d+) items?(?: \/ (\d+) deselected)?/m.exec(text);
  const summary = [...text.matchAll(/^=* ?(\d[\w ,]*) in [\d.]+s/gm)].at(-1)?.[1];
  if (!collected || summary === undefined || /error/.test(summary)) return undefined;
  const reported = [...summary.matchAll(/(\d+) (?:passed|failed|skipped|xfailed|xpassed)/g)];
  return [Number(collected[1]) - Number(collected[2] ?? 0), total(reported)];
}

/** Line-anchored, so that a test that prints such words in the middle of a line does not count. */
const readers: readonly Reader[] = [
  // node --test: `# tests 3` (tap) or `ℹ tests 3` (spec)
  {
    runner: "node",
    pattern: /^(?:#|ℹ) tests (\d+)$/gm,
    count: total,
    minus: /^(?:#|ℹ) (?:skipped|todo) (\d+)$/gm,
    failed: /^(?:#|ℹ) fail (\d+)$/gm,
    agrees: nodeAgrees,
  },
  {
    runner: "cargo",
    pattern: /^test result: \w+\. (\d+ passed; \d+ failed)/gm,
    count: (all) => all.reduce((sum, one) => sum + numbers(one[1] ?? ""), 0),
    failed: /^test result: \w+\. \d+ passed; (\d+) failed/gm,
    agrees: cargoAgrees,
  },
  // jest: `Tests:       1 failed, 2 passed, 3 total`
  {
    runner: "jest",
    pattern: /^Tests: +(.*\d+ total)$/gm,
    count: (all) => numbers(all.at(-1)?.[1] ?? ""),
    failed: /^Tests: +(?:(\d+) failed)?.*\d+ total$/gm,
  },
  // vitest: `      Tests  2 passed | 1 failed (3)`
  {
    runner: "vitest",
    pattern: /^ *Tests {2,}([\w |]+)/gm,
    count: (all) => numbers(all.at(-1)?.[1] ?? ""),
    failed: /^ *Tests {2,}(?:(\d+) failed)?/gm,
  },
  // pytest: `==== 2 passed, 1 failed in 0.01s ====`
  {
    runner: "pytest",
    pattern: /^=* ?(\d[\w ,]*) in [\d.]+s/gm,
    count: (all) => numbers(all.at(-1)?.[1] ?? ""),
    failed: /^=* ?(?=\d[\w ,]* in [\d.]+s)(?:(\d+) failed)?(?:[\w ,]*?(\d+) errors?)?/gm,
    agrees: pytestAgrees,
  },
  { runner: "pytest", pattern: /^=* ?no tests ran in [\d.]+s/gm, count: () => 0 },
  {
    runner: "unittest",
    pattern: /^Ran (\d+) tests? in /gm,
    count: total,
    minus: /^(?:OK|FAILED) \(.*?skipped=(\d+)/gm,
    failed: /^(?:OK|FAILED)(?: \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?)?/gm,
  },
  {
    runner: "mocha",
    pattern: /^ +(\d+) (?:passing|failing)\b/gm,
    count: total,
    failed: /^ +(\d+) failing\b/gm,
  },
  {
    runner: "rspec",
    pattern: /^(\d+) examples?, \d+ failures?/gm,
    count: last,
    minus: /^\d+ examples?, \d+ failures?, (\d+) pending/gm,
    failed: /^\d+ examples?, (\d+) failures?/gm,
  },
  {
    runner: "minitest",
    pattern: /^(\d+) runs, \d+ assertions/gm,
    count: last,
    minus: /^\d+ runs, .*, (\d+) skips$/gm,
    failed: /^\d+ runs, \d+ assertions, (\d+) failures, (\d+) errors/gm,
  },
  {
    runner: "exunit",
    pattern: /^(\d+) tests?, \d+ failures?/gm,
    count: last,
    minus: /^\d+ tests?, \d+ failures?.*?, (\d+) skipped/gm,
    failed: /^\d+ tests?, (\d+) failures?/gm,
  },
  { runner: "phpunit", pattern: /^OK \((\d+) tests?,/gm, count: last },
  {
    runner: "phpunit",
    pattern: /^Tests: (\d+), Assertions:/gm,
    count: last,
    minus: /^Tests: \d+, Assertions:.*?Skipped: (\d+)/gm,
    failed: /^Tests: \d+, Assertions:(?:.*?Errors: (\d+))?(?:.*?Failures: (\d+))?/gm,
  },
  {
    runner: "maven",
    pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: \d+$/gm,
    count: last,
    minus: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: (\d+)$/gm,
    failed: /^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+$/gm,
  },
  {
    runner: "dotnet",
    pattern: /^(?:Passed|Failed)! +- Failed: +\d+, Passed: +(\d+)/gm,
    count: total,
    failed: /^(?:Passed|Failed)! +- Failed: +(\d+)/gm,
  },
  { runner: "dotnet", pattern: /^ *Total(?: tests)?: +(\d+)/gm, count: last, minus: /^ *Skipped: +(\d+)/gm },
  {
    runner: "deno",
    pattern: /^(?:ok|FAILED) \| (\d+) passed/gm,
    count: first,
    failed: /^(?:ok|FAILED) \| \d+ passed[^|]*\| (\d+) failed/gm,
  },
  // ctest: `100% tests passed, 0 tests failed out of 3`
  {
    runner: "ctest",
    pattern: /^\d+% tests passed, \d+ tests? failed out of (\d+)/gm,
    count: last,
    failed: /^\d+% tests passed, (\d+) tests? failed out of/gm,
  },
  // `go test -v` reports each test when it ends.
  { runner: "go", pattern: /^ *--- (?:PASS|FAIL): (?=\S)/gm, count: (all) => all.length },
  { runner: "tap", pattern: /^1\.\.(\d+)$/gm, count: last },
];

/** The runners that a command line or a script names. A summary of another runner in the output is then text of the project. */
const named: readonly (readonly [Runner, RegExp])[] = [
  ["pytest", /\bpy\.?test\b/],
  ["unittest", /\bunittest\b/],
  ["cargo", /\bcargo(?:\s+\S+)*\s+(?:test|nextest)\b/],
  ["go", /\bgo\s+test\b/],
  ["vitest", /\bvitest\b/],
  ["jest", /\bjest\b/],
  ["mocha", /\bmocha\b/],
  ["node", /\bnode\b[^&|;]*--test\b/],
  ["rspec", /\brspec\b/],
  ["phpunit", /\bphpunit\b/],
  ["ctest", /\bctest\b/],
  ["deno", /\bdeno\s+test\b/],
];

export const runnersNamed = (line: string): readonly Runner[] =>
  named.filter(([, pattern]) => pattern.test(line)).map(([runner]) => runner);

interface RunnerSummary {
  readonly runner: Runner;
  readonly tests: number;
  readonly failed: number;
  /** It was printed once; a summary that comes twice may be printed by a test about a runner. */
  readonly once: boolean;
  /** Its own numbers, where they contradict each other. */
  readonly conflict: readonly [announced: number, reported: number] | null;
}

/** The summaries of every runner in `text` (as `plainLines` gives it), of the named ones only where some are named. */
export function summaries(text: string, only: readonly Runner[] = []): RunnerSummary[] {
  const asked = only.length > 0 ? readers.filter(({ runner }) => only.includes(runner)) : readers;
  return asked.flatMap((reader) => {
    const matches = [...text.matchAll(reader.pattern)];
    if (matches.length === 0) return [];
    const left = reader.minus ? [...text.matchAll(reader.minus)] : [];
    // A runner that counts once counts what it left out once, and not in each summary.
    const tests = Math.max(0, reader.count(matches) - (reader.count === last ? last(left) : total(left)));
    const agreed = reader.agrees?.(text);
    return [
      {
        runner: reader.runner,
        tests,
        failed: failedIn(text, reader),
        once: matches.length === 1,
        conflict: agreed && agreed[0] !== agreed[1] ? agreed : null,
      },
    ];
  });
}

/** Of the last summary alone: an earlier one may be the output of a test about a runner. */
function failedIn(text: string, { failed }: Reader): number {
  const found = failed ? [...text.matchAll(failed)].at(-1) : undefined;
  return (found?.slice(1) ?? []).reduce((sum, count) => sum + Number(count ?? 0), 0);
}

/** How many tests ran. With summaries of several runners, the smallest number: any program can print one. */
export function countTests(text: string, only: readonly Runner[] = []): number | null {
  const reported = summaries(text, only);
  if (reported.length > 0) {
    const main = reported.filter(({ runner }) => runner !== "tap" || reported.length === 1);
    return Math.min(...(main.length > 0 ? main : reported).map(({ tests }) => tests));
  }
  return only.includes("go") && /^(?:ok|FAIL)[ \t]+\S+/m.test(text) ? (goPackages(text) ?? 0) : goPackages(text);
}

/**
 * Node counts a file as one test when it ends well without any test of its own: one that was cut short while it was
 * loaded looks like one that passed. null when the words are not Node's.
 */
export function silentFiles(text: string, isFile: (path: string) => boolean): number | null {
  if (!/^(?:#|ℹ) tests \d+$/m.test(text)) return null;
  const names = [...text.matchAll(/^(?:✔ (.+) \([\d.]+ms\)|ok \d+ - (.+))$/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  return new Set(names.filter(isFile)).size;
}

/** Go reports packages, not tests: zero only when every package has no test files. */
function goPackages(text: string): number | null {
  const without = [...text.matchAll(/^\?[ \t]+\S+[ \t]+\[no test files\]$/gm)].length;
  const ran = [...text.matchAll(/^(?:ok|FAIL|---)[ \t]+\S+/gm)].filter(
    (match) => !/\[no tests to run\]/.test(lineAt(text, match.index)),
  );
  if (ran.length > 0) return null;
  return without > 0 || /\[no tests to run\]/.test(text) ? 0 : null;
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(index, end < 0 ? undefined : end);
}
