// Writes the blind tests of a run into the checkout, because a person wants them there.
import { fail, FailureError, type KeptTests } from "../../core/contract/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";

export interface TestsKept extends KeptTests {
  readonly runId: string;
}

async function keptIn(runs: RepositoryRuns, runId: string): Promise<KeptTests | undefined> {
  for (const { event } of (await runs.events(runId)).toReversed())
    if (event.type === "blind_tests_kept") return event.kept;
  return undefined;
}

export async function keepTestsOf(context: Context, runs: RepositoryRuns, runId: string): Promise<TestsKept> {
  await runs.submit(runId, { type: "keep_tests", by: context.actor });
  const from = (await runs.status(runId)).counts.events;
  await context.advance(runs, runId, { from, reportedByCaller: true });
  const kept = await keptIn(runs, runId);
  if (kept) return { runId, ...kept };
  return fail(
    "illegal_transition",
    `Run ${runId} is not over. Its blind tests are written when its work is in the checkout.`,
    {
      remedy: "See what it waits for",
      suggestions: [{ suggest: "status", runId }],
    },
  );
}

/** With an answer at a gate. The answer counts in any case. */
export async function keepTestsToo(context: Context, runs: RepositoryRuns, runId: string): Promise<void> {
  try {
    await runs.submit(runId, { type: "keep_tests", by: context.actor });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    context.tell(`Your answer counts. No tests are kept: ${error.failure.message}`);
  }
}
