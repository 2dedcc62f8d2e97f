// The worktree port on real git: the run's worktree, its capture, and the way into the checkout.
import type { ApplyOutcome, CapturedWork, WorktreePort } from "../../engine/effects/index.ts";
import { judgePatch } from "../../../core/patch/index.ts";
import { binaryTools } from "../../../platform/system/index.ts";
import { sweepScratch } from "../../../workspace/checks/index.ts";
import { withGcPaused, fromBytePath, git, type Repository } from "../../../platform/git/index.ts";
import { endGitFolderWatch, watchGitFolder } from "../../../workspace/checkout/git-folder-watch/index.ts";
import { gitTreeReader } from "../../../workspace/checkout/read/index.ts";
import {
  captureChanges,
  captureCheckout,
  changedReading,
  createReading,
  createWorktree,
  compareTrees,
  diffTrees,
  openWorktree,
  pin,
  pinCapture,
  retireReadings,
  retireWorktree,
  settleWork,
  takeOutStashes,
  treeOf,
  type Worktree,
} from "../../../workspace/checkout/worktree/index.ts";
import { revertInCheckout } from "../../../workspace/checkout/apply/index.ts";
import { applyToCheckout } from "./apply.ts";
import { lookAtCheckout, rebuildCandidate, takeAsItIs } from "./candidate.ts";
import { flag, flagsOf } from "./flags.ts";
import { scratchRoots } from "./scratch.ts";
import { createTurns } from "./turn.ts";

type CaptureRequest = Parameters<WorktreePort["capture"]>[0];

export function createWorktreePort(repository: Repository, scratchFolders: readonly string[]): WorktreePort {
  const turns = createTurns();
  return {
    async open(runId, baseCommit, again) {
      const { path } = await createWorktree(repository, { runId, baseCommit, again });
      return { dir: path };
    },
    async reading(runId, tree) {
      const { path } = await createReading(repository, runId, tree);
      return { dir: path };
    },
    changedReading: (runId, tree) => changedReading(repository, runId, tree),
    capture: (request) =>
      request.workspace === "worktree"
        ? captureWorktree(repository, request)
        : captureDirect(repository, request),
    applyInWorktree: (runId, patch) => applyInWorktree(repository, runId, patch),
    treeReader: (tree, next) => gitTreeReader(repository, tree, next),
    apply: (request): Promise<ApplyOutcome> =>
      applyToCheckout(repository, request, (release) => turns.keep(request.runId, release)),
    async look(request) {
      try {
        return await lookAtCheckout(repository, request);
      } finally {
        turns.end(request.runId);
      }
    },
    rebuild: (request) => rebuildCandidate(repository, request),
    takeAsItIs: (request) => takeAsItIs(repository, request),
    takeOut: (request) => revertInCheckout(repository, request),
    async retire(runId) {
      for (const root of scratchRoots(scratchFolders, repository.top, runId)) sweepScratch(repository, root);
      await retireReadings(repository, runId);
      return await retireWorktree(repository, runId);
    },
    // oxlint-disable-next-line require-await -- the port is asynchronous
    watchGitFolder: async (runId) => watchGitFolder(repository, runId),
    // oxlint-disable-next-line require-await -- the port is asynchronous
    restoreGitFolder: async (runId, written) => endGitFolderWatch(repository, runId, written),
  };
}

async function captureWorktree(repository: Repository, request: CaptureRequest): Promise<CapturedWork> {
  const { runId, baseCommit, fromTree } = request;
  const worktree = await createWorktree(repository, { runId, baseCommit, again: true });
  const { captured, kept } = await captureAndPin(worktree);
  await takeOutStashes(repository, captured.stashes);
  const flags = [
    ...captured.stashes.map((commit) => flag("stash", commit)),
    ...(await flagsOf(repository, captured)),
  ];
  const work = { tree: captured.tree, full: captured.patch, keptRef: kept?.ref ?? null, flags };
  if (fromTree === captured.baseTree)
    return { ...work, patch: captured.patch, changedPaths: captured.changes.map(({ path }) => path) };
  return { ...work, ...(await difference(repository, fromTree, captured.tree)) };
}

/** When a `git prune` of the user's takes away objects that no ref leads to yet, the files are still there: they are captured anew. */
const captureAndPin = (worktree: Worktree) =>
  withGcPaused(worktree.repository, async (repository) => {
    const captured = await captureChanges({ ...worktree, repository });
    await settleWork(
      worktree.path,
      captured.changes.map(({ path }) => path),
    );
    return { captured, kept: await pinCapture({ ...worktree, repository }, captured) };
  });

async function captureDirect(repository: Repository, request: CaptureRequest): Promise<CapturedWork> {
  const { tree, skipped } = await captureCheckout(repository);
  const flags = skipped.map((path) => flag("too_large", path));
  const { runId, baseCommit, fromTree, pass } = request;
  const message = `${runId}: the checkout after pass ${pass}\n`;
  const kept =
    tree === fromTree ? null : await pin(repository, { runId, tree, parents: [baseCommit], message });
  const full = await diffTrees(repository, await treeOf(repository, baseCommit), tree);
  return { tree, full, flags, keptRef: kept?.ref ?? null, ...(await difference(repository, fromTree, tree)) };
}

async function difference(repository: Repository, from: string, to: string) {
  const { changes, patch } = await compareTrees(repository, from, to);
  return { patch, changedPaths: changes.map(({ path }) => fromBytePath(path)) };
}

/** Judged like any patch, against what the worktree holds now; then git lays it over the files, all or nothing. */
async function applyInWorktree(
  repository: Repository,
  runId: string,
  patch: Uint8Array,
): Promise<{ ok: boolean; message: string }> {
  const worktree = openWorktree(repository, runId);
  if (!worktree) return { ok: false, message: "there is no worktree to apply it to" };
  const { tree } = await captureChanges(worktree);
  const options = { binary: binaryTools, approveProtected: true };
  const verdict = judgePatch(patch, options, await gitTreeReader(repository, tree));
  if (verdict.verdict === "reject") return { ok: false, message: `${verdict.reason}: ${verdict.message}` };
  const { exitCode, stderr } = await git(repository, ["apply", "--whitespace=nowarn", "-"], {
    workTree: worktree.path,
    indexFile: `${worktree.path}.apply-index`,
    stdin: patch,
    accept: [0, 1, 128],
  });
  return exitCode === 0
    ? { ok: true, message: "applied" }
    : { ok: false, message: stderr.trim().slice(0, 500) };
}
