// The integrator: puts exactly the approved bytes into the checkout, onto exactly the tree they were made
// from, all or nothing. Also lays the diff of an answer over the worktree.
import type { EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { approvable, judgePatch } from "../../../core/patch/index.ts";
import { git, type Repository } from "../../../platform/git/index.ts";
import { sha256 } from "../../../platform/store/index.ts";
import { binaryTools } from "../../../platform/system/index.ts";
import { applyPatch as applyToCheckout } from "../../../workspace/checkout/apply/index.ts";
import { gitTreeReader } from "../../../workspace/checkout/read/index.ts";
import { captureChanges, openWorktree } from "../../../workspace/checkout/worktree/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { putJson } from "../redaction.ts";
import { type CheckoutFiles, lookOutcome, readCheckoutFiles, seeCheckout } from "./candidate.ts";

type ApplyEffect = EffectOf<"apply_patch">;
type Blocked = Extract<EffectOutcome, { kind: "apply_patch_blocked" }>;

/** Thrown before anything is written: the checkout holds another tree than the one that the work was verified on. */
class Moved extends Error {
  readonly found: CheckoutFiles;
  constructor(found: CheckoutFiles) {
    super("The checkout moved while the work waited for its turn.");
    this.found = found;
  }
}

export async function applyPatch(
  deps: EffectDeps,
  effect: ApplyEffect,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { pass, patch, judgement } = effect;
  const bytes = await deps.artifacts.read(patch.patch.ref);
  const patchSha256 = sha256(bytes);
  const applied = await integrate(deps, effect, context, bytes);
  if ("kind" in applied) return applied;
  const report = {
    kind: "integration",
    runId: context.runId,
    pass,
    sourcePatch: patch.patch.ref,
    patchSha256,
    fromTree: patch.fromTree,
    tree: patch.tree,
    changedPaths: applied.paths,
    protectedChanges: judgement.protectedPaths,
    definingPaths: judgement.definingPaths,
    alreadyApplied: applied.alreadyApplied,
  };
  const summary = `pass ${pass}: ${applied.paths.length} paths integrated`;
  return {
    kind: "apply_patch",
    integration: {
      report: await putJson(deps, "report", report, summary),
      paths: [...applied.paths],
      patchSha256,
      tree: patch.tree,
      alreadyApplied: applied.alreadyApplied,
    },
  };
}

async function integrate(
  deps: EffectDeps,
  { patch: { fromTree, tree: toTree }, judgement: { paths }, exact }: ApplyEffect,
  context: EffectContext,
  patch: Uint8Array,
) {
  const repository = repositoryOf(deps);
  const lookFirst = async () => {
    const sought = { expected: fromTree, paths, since: null };
    const found = await readCheckoutFiles(repository, sought);
    // A crash may have left the work there already.
    if (found.tree === toTree) return;
    const { whole = null } = exact ?? {};
    if (found.tree !== fromTree || (whole !== null && found.whole !== whole))
      throw new Moved(await seeCheckout(repository, context.runId, sought));
  };
  // Until the last look of this run, or for a minute, no other run may apply.
  const keepLock = (release: () => void) => deps.turns.keep(context.runId, release);
  try {
    const applied = await applyToCheckout(repository, {
      patch,
      knownTree: fromTree,
      expectedTree: toTree,
      approvedPaths: paths,
      fence: (commit) => context.fence(commit),
      ...(exact ? { lookFirst, keepLock } : {}),
      // Changes that need a person's approval have it by now. A patch that must be refused is refused here once more.
      options: { binary: binaryTools, approvedReasons: approvable },
    });
    return applied.outcome === "applied" || applied.outcome === "already_applied"
      ? { paths: applied.paths, alreadyApplied: applied.outcome === "already_applied" }
      : blocked(applied);
  } catch (error) {
    if (error instanceof Moved) return lookOutcome("before", fromTree, error.found);
    throw error;
  }
}

type NotApplied = Extract<Awaited<ReturnType<typeof applyToCheckout>>, { outcome: "blocked" | "conflict" | "refused" }>;

function blocked(applied: NotApplied): Blocked {
  const kind = "apply_patch_blocked";
  switch (applied.outcome) {
    case "blocked":
      return { kind, reason: "dirty_checkout", message: applied.message, paths: [...applied.paths] };
    case "conflict":
      return {
        kind,
        reason: "failed",
        message: applied.message,
        paths: applied.conflicts.map(({ path }) => path),
      };
    case "refused": {
      const dirty = applied.verdict.findings.filter(({ reason }) => reason === "dirty_target");
      const paths = dirty.flatMap(({ path }) => (path === undefined ? [] : [path]));
      const reason = applied.verdict.reason === "dirty_target" ? "dirty_checkout" : "failed";
      return { kind, reason, message: applied.verdict.message, paths };
    }
  }
}

/** Judged like any patch, against the present files of the worktree; then git applies it, all or nothing. Gives the
 * reason why it could not. */
export async function applyInWorktree(
  repository: Repository,
  runId: string,
  patch: Uint8Array,
): Promise<string | undefined> {
  const worktree = openWorktree(repository, runId);
  if (!worktree) return "there is no worktree to apply it to";
  const { tree } = await captureChanges(worktree);
  const options = { binary: binaryTools, approveProtected: true };
  const verdict = judgePatch(patch, options, await gitTreeReader(repository, tree));
  if (verdict.verdict === "reject") return `${verdict.reason}: ${verdict.message}`;
  const { exitCode, stderr } = await git(repository, ["apply", "--whitespace=nowarn", "-"], {
    workTree: worktree.path,
    indexFile: `${worktree.path}.apply-index`,
    stdin: patch,
    accept: [0, 1, 128],
  });
  return exitCode === 0 ? undefined : stderr.trim().slice(0, 500);
}
