// The one way from an answer to a patch in the tree, for a new answer and for a saved one: read the diff, judge it,
// store it, then apply, commit and push it as far as the apply mode allows (T-18 to T-22).
import type { Answer, ResultStatus, RunRequest } from "../../../core/contract/transport/index.ts";
import { addedSecrets, parsePatch, type CountSecrets, type TreeReader } from "../../../core/patch/index.ts";
import { diffOfAnswer, type AnswerDiff, type conversionReasons } from "../../../core/patch/convert/index.ts";
import { folderReader } from "../../../platform/paths/index.ts";
import type { GitPlan, GitStep } from "../ports.ts";
import type { ResultBuilder } from "../result/draft.ts";
import { writeAtomic } from "../sessions/atomic-file.ts";

interface AnswerVerdict {
  readonly status: ResultStatus;
  readonly diff: AnswerDiff | null;
  /** One sentence for the follow-up and the log. */
  readonly reason: string;
  /** Asking again in the same conversation can help. */
  readonly retry: boolean;
}

const missing = new Set<string>(["empty", "no_fenced_blocks", "no_diff_block"]);

function readAnswer(answer: Answer, diff: RunRequest["diff"], tree: TreeReader): AnswerVerdict {
  const unproved = `the answer is not complete (${answer.incompleteReason ?? "unproved"})`;
  if (!diff.active)
    return answer.complete
      ? { status: "success", diff: null, reason: "answered", retry: false }
      : { status: "partial", diff: null, reason: unproved, retry: false };
  const selected = diffOfAnswer(answer.text, {
    tree,
    strict: diff.strict,
    ...(diff.restrictPrefix === null ? {} : { restrictPathPrefix: diff.restrictPrefix }),
  });
  if (selected.partial) return { status: "partial", diff: selected, reason: selected.message, retry: true };
  // A closed block in a truncated answer may be half of the change, so it is not used.
  if (!answer.complete) return { status: "partial", diff: selected, reason: unproved, retry: true };
  if (selected.valid) return { status: "success", diff: selected, reason: "the diff is valid", retry: false };
  const status = missing.has(selected.reason) ? "diff_missing" : "invalid_diff";
  return { status, diff: selected, reason: selected.message, retry: true };
}

interface IntegrationRequest {
  readonly plan: GitPlan;
  readonly git: RunRequest["git"];
  readonly patch: Uint8Array;
  readonly paths: readonly string[];
  readonly draft: ResultBuilder;
  readonly signal: AbortSignal;
  readonly enter: (stage: string) => void;
  readonly log: (line: string) => void;
}

const notApplied = ({ reason, error, approvalPath }: Extract<GitStep, { ok: false }>) =>
  ({ status: "apply_failed", diffReason: reason, gitApplyError: error, approvalPath: approvalPath ?? null }) as const;

/** The patch has passed its check. From the first write on the work runs to a recorded end. */
export async function integrate(work: IntegrationRequest): Promise<void> {
  const { plan, git, draft } = work;
  draft.set({ branch: await plan.branch(), gitVersion: plan.version });
  if (git.applyMode === "check") return;
  work.enter("applying");
  const applied = await plan.apply(work.patch, work.signal);
  if (!applied.ok) {
    draft.set(notApplied(applied));
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
  for (const warning of committed.warnings) draft.warn(warning);
  work.log(`committed ${committed.sha ?? ""}`);
  if (!git.push) return;
  work.enter("pushing");
  const pushed = await plan.push(work.signal);
  if (pushed.ok) draft.set({ pushed: true });
  else {
    // The commit stays; a script that depends on the push must see that it failed.
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

/** The input of judging and of applying. */
interface DiffWork {
  readonly request: RunRequest;
  /** Null when the mode needs no git. */
  readonly plan: GitPlan | null;
  readonly draft: ResultBuilder;
  readonly signal: AbortSignal;
  /** The number of secrets in a text, by the user's rules too. */
  readonly countSecrets: CountSecrets;
}

export interface JudgedAnswer {
  readonly verdict: AnswerVerdict;
  /** The patch as it would be applied; null when there is none. */
  readonly patch: Uint8Array | null;
  /** The verdict on patch and tree; null without a work tree. */
  readonly checked: GitStep | null;
}

export async function judgeAnswer(answer: Answer, work: DiffWork): Promise<JudgedAnswer> {
  const { request, plan, draft } = work;
  // Without git the files are read as they are: a change that names lines by their text needs them.
  const tree = plan?.tree() ?? folderReader(request.git.root ?? request.cwd);
  const verdict = withoutForeignSecrets(readAnswer(answer, request.diff, tree), work);
  const { diff } = verdict;
  const chosen = verdict.status === "success" && diff !== null;
  draft.set({
    status: verdict.status,
    diffFound: diff?.found ?? false,
    diffValidated: chosen,
    diffScore: diff?.diffScore ?? null,
    diffBlocks: diff?.diffBlocks ?? null,
    diffReason: chosen ? conversionReason(diff) : diff === null ? null : unusable(verdict),
    gitApplyError: null,
    approvalPath: null,
  });
  const patch = chosen ? diff.patch : null;
  if (patch === null || plan === null) {
    if (patch !== null) tellSecrets(patch, work);
    return { verdict, patch, checked: null };
  }
  const fitted = await plan.fit(patch);
  const checked = await plan.check(fitted, work.signal);
  if (checked.ok) for (const warning of checked.warnings) draft.warn(warning);
  else draft.set(notApplied(checked));
  return { verdict, patch: fitted, checked };
}

/** Names the conversion of a diff that is used. */
const conversionReason = ({ conversion }: AnswerDiff): string | null =>
  conversion === null ? null : (`converted_${conversion}` satisfies (typeof conversionReasons)[number]);

/** A converted diff holds lines of the file. Where git is not asked, nothing says that they may be shown. */
function withoutForeignSecrets(verdict: AnswerVerdict, { plan, countSecrets }: DiffWork): AnswerVerdict {
  const { diff } = verdict;
  if (plan !== null || diff === null || diff.conversion === null || !diff.valid) return verdict;
  if (countSecrets(diff.text ?? "") === 0) return verdict;
  const message = "the converted diff would show lines of a file that look like a secret";
  const refused = { ...diff, valid: false, patch: null, text: null, reason: "secret_in_patch" as const, message };
  return { status: "invalid_diff", diff: refused, reason: message, retry: true };
}

/** Without git the diff is only stored; a warning says that it adds a secret. */
function tellSecrets(patch: Uint8Array, { draft, countSecrets }: DiffWork): void {
  for (const { message } of addedSecrets(parsePatch(patch).patch.sections, countSecrets))
    draft.warn(`secret_in_patch: ${message}.`);
}

/** A valid diff in an incomplete answer is refused because of the answer. */
function unusable({ diff, status }: AnswerVerdict): string {
  return status === "partial" && diff?.partial === false ? "incomplete_answer" : (diff?.reason ?? status);
}

interface Carried extends DiffWork {
  /** Where the patch is stored; null when it is not stored. */
  readonly path: string | null;
  readonly enter: (stage: string) => void;
  readonly log: (line: string) => void;
}

/** Applies a patch that passed its checks; another one is only stored. */
export async function applyAnswerDiff({ verdict, patch, checked }: JudgedAnswer, work: Carried): Promise<void> {
  const { request, plan, draft, path } = work;
  if (patch === null || verdict.diff === null) return;
  if (path !== null) {
    writeAtomic(path, patch);
    draft.set({ diffPath: path });
  }
  draft.set({ patchBytes: patch.length });
  const { conversion } = verdict.diff;
  if (conversion !== null) draft.warn(`The answer is not a fenced git diff; its change was converted (${conversion}).`);
  for (const mended of verdict.diff.mended) draft.warn(mended);
  if (plan === null || checked === null || !checked.ok) return;
  await integrate({ ...work, plan, git: request.git, patch, paths: verdict.diff.paths });
}
