// Captures everything a worker left, byte for byte, measured against the base commit.
import type { ArtifactRef, CaptureFlag, EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { fromBytePath, withGcPaused, type Repository } from "../../../platform/git/index.ts";
import { sha256 } from "../../../platform/store/index.ts";
import {
  captureChanges,
  captureCheckout,
  compareTrees,
  createWorktree,
  diffTrees,
  pin,
  pinCapture,
  settleWork,
  takeOutStashes,
  treeOf,
  type Worktree,
} from "../../../workspace/checkout/worktree/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { putDiff, putJson } from "../redaction.ts";
import { flag, flagsOf } from "./flags.ts";

type CaptureEffect = EffectOf<"capture_patch">;

interface CapturedWork {
  /** The tree of everything the worker left: commits, index, unstaged and untracked files. */
  readonly tree: string;
  /** From `fromTree` to `tree`. */
  readonly patch: Uint8Array;
  /** From the base commit to `tree`. */
  readonly full: Uint8Array;
  readonly changedPaths: readonly string[];
  readonly keptRef: string | null;
  readonly flags: readonly CaptureFlag[];
}

export async function capturePatch(
  deps: EffectDeps,
  effect: CaptureEffect,
  { runId }: EffectContext,
): Promise<EffectOutcome> {
  const { pass, workspace, fromTree } = effect;
  const capture = workspace === "worktree" ? captureWorktree : captureDirect;
  const work = await capture(repositoryOf(deps), runId, effect);
  if (work.tree === fromTree) return { kind: "capture_patch", patch: null, keptRef: work.keptRef };
  const patch = await putDiff(deps, work.patch, `work of pass ${pass}: ${work.changedPaths.length} paths`);
  const full = await putDiff(deps, work.full, `all work up to pass ${pass}`);
  const invocation = await withPatch(deps, effect.invocation, full);
  return {
    kind: "capture_patch",
    ...(invocation ? { invocation } : {}),
    patch: {
      patch,
      patchSha256: sha256(work.patch),
      full,
      fromTree,
      tree: work.tree,
      changedPaths: [...work.changedPaths],
      workspace,
      keptRef: work.keptRef,
      ...(work.flags.length > 0 ? { flags: work.flags.slice(0, 200) } : {}),
    },
    keptRef: work.keptRef,
  };
}

/** The record of the worker's program is written when it ends; the patch that it made is known only here. */
async function withPatch(deps: EffectDeps, ref: string | null, patch: ArtifactRef): Promise<ArtifactRef | undefined> {
  if (ref === null) return undefined;
  const record = JSON.parse(deps.text.decode(await deps.artifacts.read(ref))) as Record<string, unknown>;
  const summary = `${String(record["command"])} as ${String(record["role"])}, with its patch`;
  return putJson(deps, "provider_invocation", { ...record, patchArtifact: patch.ref }, summary);
}

async function captureWorktree(
  repository: Repository,
  runId: string,
  { baseCommit, fromTree }: CaptureEffect,
): Promise<CapturedWork> {
  const worktree = await createWorktree(repository, { runId, baseCommit, again: true });
  const { captured, kept } = await captureAndPin(worktree);
  await takeOutStashes(repository, captured.stashes);
  const flags = [...captured.stashes.map((commit) => flag("stash", commit)), ...(await flagsOf(repository, captured))];
  const work = { tree: captured.tree, full: captured.patch, keptRef: kept?.ref ?? null, flags };
  if (fromTree === captured.baseTree)
    return { ...work, patch: captured.patch, changedPaths: captured.changes.map(({ path }) => path) };
  return { ...work, ...(await difference(repository, fromTree, captured.tree)) };
}

/** If a `git prune` of the user removes objects before a ref leads to them, the files still exist and are captured again. */
const captureAndPin = (worktree: Worktree) =>
  withGcPaused(worktree.repository, async (repository) => {
    const captured = await captureChanges({ ...worktree, repository });
    await settleWork(
      worktree.path,
      captured.changes.map(({ path }) => path),
    );
    return { captured, kept: await pinCapture({ ...worktree, repository }, captured) };
  });

async function captureDirect(
  repository: Repository,
  runId: string,
  { baseCommit, fromTree, pass }: CaptureEffect,
): Promise<CapturedWork> {
  const { tree, skipped } = await captureCheckout(repository);
  const flags = skipped.map((path) => flag("too_large", path));
  const message = `${runId}: the checkout after pass ${pass}\n`;
  const kept = tree === fromTree ? null : await pin(repository, { runId, tree, parents: [baseCommit], message });
  const full = await diffTrees(repository, await treeOf(repository, baseCommit), tree);
  return { tree, full, flags, keptRef: kept?.ref ?? null, ...(await difference(repository, fromTree, tree)) };
}

async function difference(repository: Repository, from: string, to: string) {
  const { changes, patch } = await compareTrees(repository, from, to);
  return { patch, changedPaths: changes.map(({ path }) => fromBytePath(path)) };
}
