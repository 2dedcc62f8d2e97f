// Takes the work of a run out of the checkout again, and tells what came of it.
import { fail, type UndoResult } from "../../core/contract/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";

export interface Undone extends UndoResult {
  readonly runId: string;
}

export async function undoWork(context: Context, runs: RepositoryRuns, runId: string): Promise<Undone> {
  await runs.submit(runId, { type: "undo", by: context.actor });
  const from = (await runs.status(runId)).counts.events;
  await context.advance(runs, runId, { from, reportedByCaller: true, waitSeconds: 30 });
  const { undo } = await runs.full(runId);
  if (undo?.state === "done") return { runId, ...undo.taken };
  const blocked = undo?.state === "blocked" ? undo : { message: "It was not finished.", paths: [] };
  const where = blocked.paths.length > 0 ? ` (${blocked.paths.join(", ")})` : "";
  return fail("conflict", `The work of ${runId} stays in the checkout: ${blocked.message}${where}`, {
    remedy:
      "Set your own edits in these files aside (git stash, or commit and revert them), then undo again. See the work",
    suggestions: [{ suggest: "show", runId }],
  });
}

/** The same where the run may have left nothing in the checkout. */
export async function takeOutToo(context: Context, runs: RepositoryRuns, runId: string): Promise<void> {
  const { actions } = await runs.full(runId);
  if (!actions.some(({ kind }) => kind === "undo")) return context.tell("· nothing of it is in the checkout");
  const { paths, keptRef } = await undoWork(context, runs, runId);
  context.tell(`✔ undone: ${paths.join(", ")}; the work is kept in ${keptRef ?? "the store"}`);
}
