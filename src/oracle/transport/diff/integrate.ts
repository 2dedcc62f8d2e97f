// A checked diff into the work tree, as far as the apply mode goes: check, apply, commit, push (T-18 to T-22).
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import type { ResultBuilder } from "../result/draft.ts";
import type { GitPlan } from "../ports/index.ts";

export interface IntegrationRequest {
  readonly plan: GitPlan;
  readonly git: RunRequest["git"];
  readonly patch: Uint8Array;
  readonly paths: readonly string[];
  readonly draft: ResultBuilder;
  readonly signal: AbortSignal;
  readonly enter: (stage: string) => void;
  readonly log: (line: string) => void;
}

/** The patch is known to pass its check. From the first write on the work goes through to a stated end. */
export async function integrate(work: IntegrationRequest): Promise<void> {
  const { plan, git, draft } = work;
  draft.set({ branch: await plan.branch(), gitVersion: plan.version });
  if (git.applyMode === "check") return;
  work.enter("applying");
  const applied = await plan.apply(work.patch, work.signal);
  if (!applied.ok) {
    draft.set({ status: "apply_failed", diffReason: applied.reason, gitApplyError: applied.error });
    return;
  }
  draft.set({ treeHoldsPatch: true, diffApplied: applied.unchanged !== true });
  work.log(`applied to ${plan.root}: ${work.paths.join(", ")}`);
  if (git.applyMode === "apply") return;
  await commit(work);
}

async function commit(work: IntegrationRequest): Promise<void> {
  const { plan, git, draft } = work;
  work.enter("committing");
  const committed = await plan.commit(work.signal);
  draft.set({ branch: await plan.branch() });
  if (!committed.ok) {
    draft.set({ status: "commit_failed", diffApplied: false, gitCommitError: committed.error });
    return;
  }
  draft.set({ commitSha: committed.sha ?? null });
  work.log(`committed ${committed.sha ?? ""}`);
  if (!git.push) return;
  work.enter("pushing");
  const pushed = await plan.push(work.signal);
  if (pushed.ok) draft.set({ pushed: true });
  else {
    // The commit stays; a script that goes on from the push must see that there was none.
    draft.set({
      status: "error",
      gitPushError: pushed.error,
      error: {
        code: "git_failed",
        message: "The commit was made but not pushed.",
        remedy: "See gitPushError, then push it: git push",
      },
    });
  }
}
