// Runs a check again where the changed source looks around or depends on chance: in other surroundings, and several times.
import type { CheckRun } from "./run/run-check.ts";
import { runCheck } from "./run/run-check.ts";
import { codeOnly, languageOf } from "./sabotage/language.ts";
import { changedSource } from "./sabotage/targets.ts";
import { type Look, looksAround } from "./surroundings.ts";

export interface Repeats {
  readonly ran: number;
  readonly passed: number;
  /** `src/add.js:1 reads its variables`. */
  readonly why: string;
  /** What the change reads and our runs cannot vary. */
  readonly same?: string;
}

/** Words in a text are a hint only, so what they cost is bounded. Where calls are replayed, chance is measured there, in many
 * more calls than checks can make; elsewhere a fault that shows one time in four is missed three times in a hundred. */
const chanceMs = 120_000;
const mostRuns = 12;
const mostWithReplay = 4;

interface Again extends CheckRun {
  readonly baseTree: string;
  readonly tookMs: number;
  /** The tests are those of the base commit, so that its results can be compared. */
  readonly comparable: boolean;
  readonly tell: (line: string) => void;
}

/** Undefined where the change reads nothing of the kind. The run that already passed counts as the first. */
export async function runAgain(again: Again): Promise<Repeats | undefined> {
  const { files: changed } = await changedSource(again.repository, again.baseTree, again.tree);
  const looks = changed.flatMap(({ path, after, before, hunks }) =>
    looksAround(
      path,
      after,
      before === null || hunks.length === 0
        ? [[1, after.split("\n").length]]
        : hunks.map(({ new: { start, count } }) => [start, count] as const),
    ),
  );
  const [first] = looks;
  if (!first) return undefined;
  const isReplayed = looks.every(({ path }) => ["js", "python"].includes(languageOf(path) ?? ""));
  const plan = runsFor(looks, again.tookMs, isReplayed ? mostWithReplay : mostRuns);
  let passed = 1;
  let ran = 1;
  for (const elsewhere of plan) {
    ran += 1;
    again.tell(`run ${ran} of ${plan.length + 1}: ${wordsOf(first)}`);
    const { result } = await runCheck({ ...again, elsewhere });
    // One failure is enough.
    if (result !== "passed") break;
    passed += 1;
  }
  const clock = looks.find(({ what }) => what === "the clock");
  let isMoved = false;
  if (clock && passed === ran && !changed.some(readsAges)) {
    const late = await failsLater(again, (days) => again.tell(`the clock ${days} ahead: ${wordsOf(clock)}`));
    ran += late.ran;
    passed += late.passed;
    isMoved = late.passed === spans.length;
    if (late.days !== undefined)
      return { ran, passed, why: `${wordsOf(clock)}, and it fails with the clock ${late.days} ahead` };
  }
  // A clock that was moved, with the checks passing, was varied.
  const fixed = looks.find((look) => look.fixed && !(isMoved && look.what === clock?.what));
  return { ran, passed, why: wordsOf(first), ...(fixed ? { same: wordsOf(fixed) } : {}) };
}

/** The times of files stay as they are, so that code which compares them with the clock would find every file old. */
function readsAges({ path, after }: { readonly path: string; readonly after: string }): boolean {
  const language = languageOf(path);
  return /\b(?:st_|get)?(?:m|a|c|birth)time(?:Ms|Ns|_ns)?\b|\bModTime\b/.test(
    language === null ? after : codeOnly(after, language),
  );
}

const dayMs = 86_400_000;
/** Another day of the week and another half of the day; another month and another year. */
const spans: readonly (readonly [days: string, aheadMs: number])[] = [
  ["3 days", 3.5 * dayMs],
  ["410 days", 410 * dayMs],
];

/** A failure counts where the base commit passes under the same clock. */
async function failsLater(
  again: Again,
  tell: (days: string) => void,
): Promise<{ ran: number; passed: number; days?: string }> {
  let passed = 0;
  for (const [days, aheadMs] of spans) {
    tell(days);
    const { result } = await runCheck({ ...again, aheadMs });
    if (result === "passed") passed += 1;
    else if (!again.comparable || result !== "failed") continue;
    else if ((await runCheck({ ...again, tree: again.baseTree, aheadMs })).result === "passed")
      return { ran: passed + 1, passed, days };
  }
  return { ran: passed, passed };
}

const wordsOf = ({ path, line, what }: Look): string => `${path}:${line} reads ${what}`;

const timesFor = (tookMs: number, most: number): number =>
  Math.max(2, Math.min(most, Math.floor(chanceMs / Math.max(1, tookMs))));

/** For each further run, whether it is in other surroundings. */
function runsFor(looks: readonly Look[], tookMs: number, most: number): boolean[] {
  const other = looks.some(({ at }) => at === "surroundings") ? [true] : [];
  const chance = looks.some(({ at }) => at === "chance");
  const same = chance ? Array.from({ length: timesFor(tookMs, most) - other.length }, () => false) : [];
  return [...other, ...same];
}
