// The files of a worker are on the disk before its answer is recorded (B-30). When they are not, the call is in doubt.
import { type CallReport, FailureError, type ProviderCall } from "../../../core/contract/index.ts";
import { openWorktree, settleCheckout, settleWorktree } from "../../../workspace/checkout/worktree/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";

export async function withSettledWork(deps: EffectDeps, call: ProviderCall, report: CallReport): Promise<CallReport> {
  const why = await whyUnsettled(deps, call);
  return why === undefined ? report : { ...report, outcome: { result: "in_doubt", why: deps.text.redact(why) } };
}

async function whyUnsettled(deps: EffectDeps, { runId, workspace }: ProviderCall): Promise<string | undefined> {
  if (workspace.mode !== "worktree" && workspace.mode !== "direct") return undefined;
  const repository = repositoryOf(deps);
  try {
    const worktree = workspace.mode === "worktree" ? openWorktree(repository, runId) : undefined;
    if (worktree) await settleWorktree(worktree);
    if (workspace.mode === "direct") await settleCheckout(repository);
    return undefined;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return `the files that the worker wrote may not be on the disk: ${error.failure.message}`;
  }
}
