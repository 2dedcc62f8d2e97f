// A check that fails is run again before it counts: a test that fails now and then on the base commit too says nothing about
// the work, and one that does so only on the work is a doubt.
import type { CheckEvidence } from "../../../core/contract/index.ts";
import type { EffectDeps } from "../deps.ts";
import { freshResult, rememberResult, resultOn } from "./known-results.ts";
import { type CheckRequest, runOnTree, type RunOptions } from "./on-tree.ts";

type Ran = Awaited<ReturnType<typeof runOnTree>>;

export interface Settled {
  readonly ran: Ran;
  readonly unsteady?: NonNullable<CheckEvidence["unsteady"]>;
}

/** Longer checks are not run again for this. */
const longestMs = 60_000;
/** The work has to pass so often after it failed; the base commit is asked until it fails too, or so often. */
const passes = 2;
const mostOnBase = 6;
const mostNamed = 20;

/** Both failed, in the same test, or where no test has a name. */
const sameFailure = (tests: readonly string[], { result, tests: { failed } }: Pick<Ran, "result" | "tests">): boolean =>
  result !== "passed" && (tests.length === 0 || failed.length === 0 || failed.some((name) => tests.includes(name)));

/** The result that counts. `baseTree`: null for the base commit itself. */
export async function settle(
  deps: EffectDeps,
  request: CheckRequest,
  options: RunOptions,
  first: Ran,
  baseTree: string | null,
): Promise<Settled> {
  if (first.result !== "failed" || request.spec.kind !== "test" || first.tookMs > longestMs) return { ran: first };
  if (first.tests.failed.length === 0) return { ran: first };
  const base = baseTree === null ? undefined : await resultOn(deps, { ...request, tree: baseTree });
  const mine = base ? first.tests.failed.filter((name) => base.tests.passed.includes(name)) : first.tests.failed;
  // New tests of the work are its own, and tests that failed before are compared by name.
  if (mine.length === 0 || mine.length < first.tests.failed.length) return { ran: first };
  let ran = first;
  for (let at = 0; at < (base ? passes : 1); at += 1) {
    request.onOutput(`${mine.join(", ").slice(0, 200)} failed: once more, to see whether it does so each time`);
    ran = await runOnTree(deps, request, options);
    if (sameFailure(mine, ran)) {
      rememberResult(deps, request.spec, request.tree, first);
      return { ran: first };
    }
  }
  if (ran.result !== "passed") return { ran: first };
  const runs = (base ? passes : 1) + 1;
  const onBase = baseTree === null ? { ran: 0, failed: 0 } : await baseFailures(deps, request, baseTree, mine);
  return { ran, unsteady: { tests: mine.slice(0, mostNamed), ran: runs, failed: 1, base: onBase } };
}

/** How often the base commit fails in one of these tests; one failure is enough. */
async function baseFailures(
  deps: EffectDeps,
  request: CheckRequest,
  baseTree: string,
  tests: readonly string[],
): Promise<{ ran: number; failed: number }> {
  const known = await resultOn(deps, { ...request, tree: baseTree });
  // The known result is one run that passed these tests.
  let ran = 1;
  let failed = 0;
  while (ran < mostOnBase && failed === 0) {
    request.onOutput(`run ${ran + 1} of at most ${mostOnBase} on the base commit, to see whether it fails there too`);
    const again = await freshResult(deps, { ...request, tree: baseTree });
    ran += 1;
    if (again.tests.failed.some((name) => tests.includes(name))) failed += 1;
  }
  rememberResult(deps, request.spec, baseTree, known);
  return { ran, failed };
}
