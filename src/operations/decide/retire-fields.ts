// The fields by which old runs are named.
import { fail } from "../../core/contract/index.ts";
import type { RepositoryRuns, RetireOptions } from "../context/index.ts";
import { number, optional, text } from "../define/index.ts";

export const retireFields = {
  runId: optional(text("this run", { cli: { name: "run" } })),
  olderThan: optional(
    number("all runs that ended more than this many days ago", { min: 0, cli: { value: "days" } }),
  ),
};

export async function retireOptions(
  runs: RepositoryRuns,
  { runId, olderThan }: { readonly runId?: string | undefined; readonly olderThan?: number | undefined },
): Promise<Pick<RetireOptions, "runIds" | "olderThanDays">> {
  if (runId === undefined && olderThan === undefined)
    fail("invalid_input", "Say which runs are meant.", { remedy: "Name a run, or say --older-than DAYS." });
  // A run that is missing can only be named whole.
  const whole = /^run_[a-z0-9]{20,}$/;
  const found = runId === undefined || whole.test(runId) ? runId : await runs.find(runId);
  return { runIds: found === undefined ? [] : [found], olderThanDays: olderThan };
}
