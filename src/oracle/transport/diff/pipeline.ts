// The one way from an answer to a patch in the tree, for an answer that just came and for one that was saved:
// read the diff, judge it, write it down, then apply and commit it as far as the apply mode goes.
import type { Answer, RunRequest } from "../../../core/contract/transport/index.ts";
import type { ResultBuilder } from "../result/draft.ts";
import { addedSecrets, type CountSecrets, parsePatch } from "../../../core/patch/index.ts";
import type { GitPlan, GitStep } from "../ports/index.ts";
import { writeAtomic } from "../sessions/atomic-file.ts";
import { integrate } from "./integrate.ts";
import { type AnswerVerdict, readAnswer } from "./read-answer.ts";

/** The parts that both halves of the way work with. */
export interface DiffWork {
  readonly request: RunRequest;
  /** Null when the mode needs no git. */
  readonly plan: GitPlan | null;
  readonly draft: ResultBuilder;
  readonly signal: AbortSignal;
  /** How many secrets a text holds, by the user's rules too. */
  readonly countSecrets: CountSecrets;
}

export interface JudgedAnswer {
  readonly verdict: AnswerVerdict;
  /** The patch as it would be applied; null when there is none. */
  readonly patch: Uint8Array | null;
  /** The verdict on patch and tree; null when there is no tree to ask about. */
  readonly checked: GitStep | null;
}

export async function judgeAnswer(answer: Answer, work: DiffWork): Promise<JudgedAnswer> {
  const { request, plan, draft } = work;
  const verdict = readAnswer(answer, request.diff);
  const { diff } = verdict;
  const chosen = verdict.status === "success" && diff !== null;
  draft.set({
    status: verdict.status,
    diffFound: diff?.found ?? false,
    diffValidated: chosen,
    diffScore: diff?.diffScore ?? null,
    diffBlocks: diff?.diffBlocks ?? null,
    diffReason: diff === null || chosen ? null : unusable(verdict),
    gitApplyError: null,
  });
  const patch = chosen ? diff.patch : null;
  if (patch === null || plan === null) {
    if (patch !== null) tellSecrets(patch, work);
    return { verdict, patch, checked: null };
  }
  const fitted = await plan.fit(patch);
  const checked = await plan.check(fitted, work.signal);
  if (checked.ok) for (const warning of checked.warnings) draft.warn(warning);
  else draft.set({ status: "apply_failed", diffReason: checked.reason, gitApplyError: checked.error });
  return { verdict, patch: fitted, checked };
}

/** Without git the diff is only written down; the person who applies it must know that it brings a secret. */
function tellSecrets(patch: Uint8Array, { draft, countSecrets }: DiffWork): void {
  for (const { message } of addedSecrets(parsePatch(patch).patch.sections, countSecrets))
    draft.warn(`secret_in_patch: ${message}.`);
}

/** A diff that was fine but stood in an unfinished answer is not used for that reason, not for its own. */
function unusable({ diff, status }: AnswerVerdict): string {
  return status === "partial" && diff?.partial === false ? "incomplete_answer" : (diff?.reason ?? status);
}

export interface Carried extends DiffWork {
  /** Where the patch is written down; null when nobody wants it. */
  readonly path: string | null;
  readonly enter: (stage: string) => void;
  readonly log: (line: string) => void;
}

/** A patch that is in order goes on its way; one that is not is only written down. */
export async function applyAnswerDiff(
  { verdict, patch, checked }: JudgedAnswer,
  work: Carried,
): Promise<void> {
  const { request, plan, draft, path } = work;
  if (patch === null || verdict.diff === null) return;
  if (path !== null) {
    writeAtomic(path, patch);
    draft.set({ diffPath: path });
  }
  draft.set({ patchBytes: patch.length });
  for (const mended of verdict.diff.mended) draft.warn(mended);
  if (plan === null || checked === null || !checked.ok) return;
  await integrate({ ...work, plan, git: request.git, patch, paths: verdict.diff.paths });
}
