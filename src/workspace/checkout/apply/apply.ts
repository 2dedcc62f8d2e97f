// The integrator's door: a patch goes from its bytes to the checkout only through every judge, all of it or nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryRoot } from "../../../platform/system/index.ts";
import type { PatchVerdict } from "../../../core/contract/index.ts";
import {
  judgePatch,
  parsePatch,
  type CountSecrets,
  type PatchAssessment,
  type Patch,
  type PatchOptions,
} from "../../../core/patch/index.ts";
import { git, type Repository } from "../../../platform/git/index.ts";
import { ensureExcluded } from "../worktree/index.ts";
import { differs } from "./compare.ts";
import { moveLocked, withApplyLock, type ApplyFence, type Integration } from "./integrate.ts";
import type { ApplyLock } from "./lock.ts";
import { hash } from "./journal.ts";
import { planMove } from "./plan.ts";
import { hasApplied, recoverApplies } from "./recover.ts";
import { forGit, makeReady, type ReadyPatch, applyToScratch } from "./scratch.ts";
import { checkoutReader, CheckoutView } from "./view.ts";

export interface ApplyRequest {
  readonly patch: Uint8Array;
  readonly options?: PatchOptions;
  /** Looks for secrets in the added lines. Every door hands one in; without it they are not looked for. */
  readonly countSecrets?: CountSecrets;
  /** The tree the checkout is known to hold on the patch's paths. Default: the last commit. */
  readonly knownTree?: string;
  /** When given, the patch must make exactly this tree of `knownTree`. */
  readonly expectedTree?: string;
  /** When given, exactly these paths may change: the paths that were shown and approved. */
  readonly approvedPaths?: readonly string[];
  readonly fence?: ApplyFence;
  /** Called under the lock, before anything else. It rejects when the patch is not for the checkout as it is now. */
  readonly lookFirst?: () => Promise<void>;
  /** Is given the lock when the patch was applied, and must release it. */
  readonly keepLock?: (release: () => void) => void;
}

type ApplyOutcome =
  | (Integration & { readonly verdict: PatchVerdict; readonly patchSha256: string })
  /** The judge rejects the patch, or a person has to approve it first. Nothing was written. */
  | { readonly outcome: "refused"; readonly verdict: PatchVerdict; readonly patchSha256: string };

function refusal(verdict: PatchVerdict, reason: string, message: string): PatchVerdict {
  const findings = [...verdict.findings, { reason, verdict: "reject" as const, message }];
  return { ...verdict, verdict: "reject", reason, message, findings };
}

const judge = ({ patch, options = {}, countSecrets }: ApplyRequest, view: CheckoutView): PatchAssessment =>
  judgePatch(patch, options, checkoutReader(view), countSecrets);

/** A verdict on the patch and the checkout together. */
interface CheckedPatch extends PatchVerdict {
  /** The checkout holds the patch already: there is nothing to do. */
  readonly there: boolean;
  /** git's own words where it refused the patch. */
  readonly gitSaid: string | null;
}

export const heldAlready = "The tree held this patch already.";

/** The patch is well-formed and safe, but its context lines differ from the file. */
const misfits = new Set(["context_mismatch", "ambiguous_context", "line_ending_mismatch"]);

const longestMove = 120_000;

/** The verdict of the judge and git on the patch in this checkout. A crashed apply is finished first; nothing else changes. */
export async function checkPatch(
  repository: Repository,
  request: ApplyRequest,
  signal?: AbortSignal,
): Promise<CheckedPatch> {
  await recoverApplies(repository, longestMove);
  const view = new CheckoutView(repository, request.knownTree);
  const { patch, ...verdict } = judge(request, view);
  const there = verdict.verdict === "reject" ? await alreadyThere(view, request) : undefined;
  if (there) return { ...there.verdict, message: heldAlready, there: true, gitSaid: null };
  const checked = { ...verdict, there: false, gitSaid: null };
  // git is not even asked about a patch that is unsafe; for one that does not fit it finds the words to go on with.
  if (verdict.verdict === "reject" && !misfits.has(verdict.reason)) return checked;
  const answer = await git(repository, ["apply", "--check", "-"], {
    stdin: patch ? forGit(request.patch, patch) : request.patch,
    accept: [0, 1, 128],
    // git compares with the files of the checkout, which the user's own settings may have converted.
    convertLineEndings: true,
    ...(signal ? { signal } : {}),
  });
  if (answer.exitCode === 0) return checked;
  const gitSaid = answer.stderr.trim();
  return verdict.verdict === "reject"
    ? { ...checked, gitSaid }
    : { ...refusal(verdict, "context_mismatch", gitSaid), there: false, gitSaid };
}

/**
 * Where a patch was ever integrated, the first read that counts is under the lock: a checkout in the middle of a move
 * looks dirty. git's part needs the last commit only and is done before, so that others wait for the move alone.
 */
export async function applyPatch(repository: Repository, request: ApplyRequest): Promise<ApplyOutcome> {
  const { keepLock, lookFirst } = request;
  const locked = (judged: JudgedPatch | undefined, ready?: ReadyPatch) =>
    withApplyLock<ApplyOutcome>(
      repository,
      async (folder, lock) => {
        await lookFirst?.();
        const now = judged ?? (await judgeFirst(repository, request));
        return "done" in now ? now.done : applyLocked(request, now, { folder, lock, ready });
      },
      (done) => (done.outcome === "applied" ? keepLock : undefined),
    );
  if (lookFirst) return locked(undefined);
  const ready = (seen: JudgedPatch) => {
    ensureExcluded(repository);
    return makeReady(request.patch, seen);
  };
  if (hasApplied(repository)) {
    const seen = lookOnce(repository, request);
    return locked(undefined, "patch" in seen ? await ready(seen) : undefined);
  }
  const judged = await judgeFirst(repository, request);
  return "done" in judged ? judged.done : locked(judged, await ready(judged));
}

interface JudgedPatch {
  readonly view: CheckoutView;
  readonly patch: Patch;
  readonly verdict: PatchVerdict;
}

function lookOnce(repository: Repository, request: ApplyRequest): JudgedPatch | Omit<JudgedPatch, "patch"> {
  const view = new CheckoutView(repository, request.knownTree);
  const { patch, ...verdict } = judge(request, view);
  return verdict.verdict === "accept" && patch ? { view, patch, verdict } : { view, verdict };
}

async function judgeFirst(
  repository: Repository,
  request: ApplyRequest,
): Promise<JudgedPatch | { readonly done: ApplyOutcome }> {
  const seen = lookOnce(repository, request);
  if ("patch" in seen) return seen;
  const { view, verdict } = seen;
  const patchSha256 = hash(request.patch);
  const there = await alreadyThere(view, request);
  return { done: there ? { ...there, patchSha256 } : { outcome: "refused", verdict, patchSha256 } };
}

interface UnderLock {
  readonly folder: string;
  readonly lock: ApplyLock;
  readonly ready: ReadyPatch | undefined;
}

async function applyLocked(
  request: ApplyRequest,
  { view, patch, verdict }: JudgedPatch,
  { folder, lock, ready }: UnderLock,
): Promise<ApplyOutcome> {
  const { repository } = view;
  const patchSha256 = hash(request.patch);
  const read = { bytes: forGit(request.patch, patch), patch };
  const isSame = ready?.fromTree === view.knownTree && Buffer.compare(ready.bytes, read.bytes) === 0;
  const scratch = isSame
    ? ready.scratch
    : await applyToScratch(repository, read, view.knownTree, { folder, aside: false });
  const why = scratch.ok ? await differs(repository, { ...request, patch }, scratch) : scratch.message;
  if (!scratch.ok || why !== undefined)
    return { outcome: "refused", verdict: refusal(verdict, "context_mismatch", why ?? ""), patchSha256 };
  const trees = { fromTree: view.knownTree, toTree: scratch.tree, changes: scratch.changes };
  const moved = await moveLocked(view, { ...trees, fence: request.fence }, folder, lock);
  return { ...moved, verdict, patchSha256 };
}

/**
 * A patch that is already in the checkout looks wrong there: its files are changed, its lines are gone. By its letters
 * alone it must still be right, and its result must be what is there. Looked up without writing to the repository.
 */
async function alreadyThere(view: CheckoutView, request: ApplyRequest) {
  const bytes = forGit(request.patch, parsePatch(request.patch).patch);
  const { patch, ...verdict } = judgePatch(bytes, request.options ?? {}, undefined, request.countSecrets);
  if (verdict.verdict !== "accept" || !patch) return undefined;
  const folder = mkdtempSync(join(temporaryRoot(), "thehood-scratch-"));
  try {
    const read = { bytes, patch };
    const scratch = await applyToScratch(view.repository, read, view.knownTree, { folder, aside: true });
    if (!scratch.ok) return undefined;
    const plan = planMove(view, scratch.changes);
    if (plan.state !== "already_there") return undefined;
    const trees = { fromTree: view.knownTree, toTree: scratch.tree };
    return { outcome: "already_applied" as const, paths: plan.paths, ...trees, verdict };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
