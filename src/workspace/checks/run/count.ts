// Reads from a runner's own words how many tests it ran. null when it did not say so in a way we know.

const strip = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, "");

interface Reader {
  readonly pattern: RegExp;
  /** From all matches of the pattern. */
  readonly count: (matches: readonly RegExpMatchArray[]) => number;
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
  { pattern: /^(?:#|ℹ) tests (\d+)$/gm, count: total },
  // cargo
  {
    pattern: /^test result: \w+\. (\d+ passed; \d+ failed)/gm,
    count: (all) => all.reduce((sum, one) => sum + numbers(one[1] ?? ""), 0),
  },
  // jest: `Tests:       1 failed, 2 passed, 3 total`
  { pattern: /^Tests: +(.*\d+ total)$/gm, count: (all) => numbers(all.at(-1)?.[1] ?? "") },
  // vitest: `      Tests  2 passed | 1 failed (3)`
  { pattern: /^ *Tests {2,}((?:\d+ \w+(?: \| )?)+)/gm, count: (all) => numbers(all.at(-1)?.[1] ?? "") },
  // pytest: `==== 2 passed, 1 failed in 0.01s ====`
  { pattern: /^=*\s*((?:\d+ \w+,? ?)+) in [\d.]+s/gm, count: (all) => numbers(all.at(-1)?.[1] ?? "") },
  { pattern: /^=*\s*no tests ran in [\d.]+s/gm, count: () => 0 },
  // unittest
  { pattern: /^Ran (\d+) tests? in /gm, count: total },
  // mocha
  { pattern: /^ +(\d+) (?:passing|failing)\b/gm, count: total },
  // rspec, minitest, exunit
  { pattern: /^(\d+) examples?, \d+ failures?/gm, count: last },
  { pattern: /^(\d+) runs, \d+ assertions/gm, count: last },
  { pattern: /^(\d+) tests?, \d+ failures?/gm, count: last },
  // phpunit
  { pattern: /^OK \((\d+) tests?,/gm, count: last },
  { pattern: /^Tests: (\d+), Assertions:/gm, count: last },
  // maven, dotnet
  { pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: \d+\s*$/gm, count: last },
  { pattern: /^\s*Total(?: tests)?: +(\d+)/gm, count: last },
  // deno
  { pattern: /^(?:ok|FAILED) \| (\d+) passed/gm, count: first },
  // tap plan
  { pattern: /^1\.\.(\d+)\s*$/gm, count: last },
];

export function countTests(output: string): number | null {
  const text = strip(output);
  for (const { pattern, count } of readers) {
    const matches = [...text.matchAll(pattern)];
    if (matches.length > 0) return count(matches);
  }
  return goPackages(text);
}

/** Go names packages, not tests: zero only when every package says that it has no test files. */
function goPackages(text: string): number | null {
  const without = [...text.matchAll(/^\?\s+\S+\s+\[no test files\]$/gm)].length;
  const ran = [...text.matchAll(/^(?:ok|FAIL|---)\s+\S+/gm)].filter(
    (match) => !/\[no tests to run\]/.test(lineAt(text, match.index)),
  );
  if (ran.length > 0) return null;
  return without > 0 || /\[no tests to run\]/.test(text) ? 0 : null;
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(index, end < 0 ? undefined : end);
}
