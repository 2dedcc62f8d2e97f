// Reads from a runner's own words how many tests it ran. null when it did not say so in a way we know.

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

interface Reader {
  readonly pattern: RegExp;
  /** From all matches of the pattern. */
  readonly count: (matches: readonly RegExpMatchArray[]) => number;
  /** What its number holds although it did not run: skipped, pending, still to be written. */
  readonly minus?: RegExp;
}

const numbers = (text: string): number =>
  [...text.matchAll(/(\d+) (?:passed|failed|skipped|error|errors|xfailed|xpassed|total|todo|deselected)/g)]
    .filter((match) => !/skipped|total|todo|deselected/.test(match[0]))
    .reduce((sum, match) => sum + Number(match[1]), 0);

const first = (matches: readonly RegExpMatchArray[]) => Number(matches[0]?.[1] ?? 0);
const last = (matches: readonly RegExpMatchArray[]) => Number(matches.at(-1)?.[1] ?? 0);
const total = (matches: readonly RegExpMatchArray[]) =>
  matches.reduce((sum, match) => sum + Number(match[1]), 0);

/** Line-anchored, so that a test that prints such words in the middle of a line does not count. */
const readers: readonly Reader[] = [
  // node --test: `# tests 3` (tap) or `ℹ tests 3` (spec)
  { pattern: /^(?:#|ℹ) tests (\d+)$/gm, count: total, minus: /^(?:#|ℹ) (?:skipped|todo) (\d+)$/gm },
  // cargo
  {
    pattern: /^test result: \w+\. (\d+ passed; \d+ failed)/gm,
    count: (all) => all.reduce((sum, one) => sum + numbers(one[1] ?? ""), 0),
  },
  // jest: `Tests:       1 failed, 2 passed, 3 total`
  { pattern: /^Tests: +(.*\d+ total)$/gm, count: (all) => numbers(all.at(-1)?.[1] ?? "") },
  // vitest: `      Tests  2 passed | 1 failed (3)`
  { pattern: /^ *Tests {2,}([\w |]+)/gm, count: (all) => numbers(all.at(-1)?.[1] ?? "") },
  // pytest: `==== 2 passed, 1 failed in 0.01s ====`
  { pattern: /^=* ?(\d[\w ,]*) in [\d.]+s/gm, count: (all) => numbers(all.at(-1)?.[1] ?? "") },
  { pattern: /^=* ?no tests ran in [\d.]+s/gm, count: () => 0 },
  // unittest
  { pattern: /^Ran (\d+) tests? in /gm, count: total, minus: /^(?:OK|FAILED) \(.*?skipped=(\d+)/gm },
  // mocha
  { pattern: /^ +(\d+) (?:passing|failing)\b/gm, count: total },
  // rspec, minitest, exunit
  {
    pattern: /^(\d+) examples?, \d+ failures?/gm,
    count: last,
    minus: /^\d+ examples?, \d+ failures?, (\d+) pending/gm,
  },
  { pattern: /^(\d+) runs, \d+ assertions/gm, count: last, minus: /^\d+ runs, .*, (\d+) skips$/gm },
  {
    pattern: /^(\d+) tests?, \d+ failures?/gm,
    count: last,
    minus: /^\d+ tests?, \d+ failures?.*?, (\d+) skipped/gm,
  },
  // phpunit
  { pattern: /^OK \((\d+) tests?,/gm, count: last },
  {
    pattern: /^Tests: (\d+), Assertions:/gm,
    count: last,
    minus: /^Tests: \d+, Assertions:.*?Skipped: (\d+)/gm,
  },
  // maven, dotnet
  {
    pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: \d+$/gm,
    count: last,
    minus: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: (\d+)$/gm,
  },
  { pattern: /^(?:Passed|Failed)! +- Failed: +\d+, Passed: +(\d+)/gm, count: total },
  { pattern: /^ *Total(?: tests)?: +(\d+)/gm, count: last, minus: /^ *Skipped: +(\d+)/gm },
  // deno
  { pattern: /^(?:ok|FAILED) \| (\d+) passed/gm, count: first },
  // tap plan
  { pattern: /^1\.\.(\d+)$/gm, count: last },
];

/** `text` as `plainLines` gives it. */
export function countTests(text: string): number | null {
  for (const { pattern, count, minus } of readers) {
    const matches = [...text.matchAll(pattern)];
    if (matches.length === 0) continue;
    const left = minus ? [...text.matchAll(minus)] : [];
    // A runner that counts once counts what it left out once, and not in each summary.
    return Math.max(0, count(matches) - (count === last ? last(left) : total(left)));
  }
  return goPackages(text);
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

/** Go names packages, not tests: zero only when every package says that it has no test files. */
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
