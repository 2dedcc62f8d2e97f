// Test only: drives a folder through every door of the workspace. A refusal is fine; anything else that is thrown is not.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { FailureError } from "../../src/core/contract/index.ts";
import { applyPatch, checkPatch, integrateTrees, recoverApplies } from "../../src/workspace/checkout/apply/index.ts";
import {
  findRepository,
  git,
  gitSync,
  readRepositoryConfig,
  requireRepository,
  type Repository,
  trackedState,
} from "../../src/platform/git/index.ts";
import { inspectRepository } from "../../src/workspace/inspect/index.ts";
import { binaryTools } from "../../src/platform/system/index.ts";
import {
  captureChanges,
  createWorktree,
  describeRepository,
  diffTrees,
  dropPinned,
  ensureExcluded,
  listPinned,
  pinCapture,
  removeWorktree,
  sweepWorktrees,
} from "../../src/workspace/checkout/worktree/index.ts";

const newFile = Buffer.from(
  "diff --git a/made.txt b/made.txt\nnew file mode 100644\n--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n",
);
const changed = Buffer.from("diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three\n");
const options = { approveProtected: true, binary: binaryTools };

/** Each line of the command table that can say something on a plain repository. */
const commands: readonly (readonly string[])[] = [
  ["status", "-z", "--porcelain=v2", "--branch", "--untracked-files=all"],
  ["diff", "-p", "--binary"],
  ["diff", "--cached", "-p", "HEAD~1"],
  ["diff-files", "-p"],
  ["diff-index", "-p", "HEAD"],
  ["diff-tree", "-r", "-p", "HEAD~1", "HEAD"],
  ["log", "-p", "--max-count=5"],
  ["show", "HEAD"],
  ["ls-files", "-z", "-m", "-o", "-d", "--exclude-standard"],
  ["ls-tree", "-r", "-z", "HEAD"],
  ["cat-file", "-p", "HEAD~1:a.txt"],
  ["check-attr", "-a", "a.txt"],
  ["check-ignore", "-v", "a.txt"],
  ["for-each-ref"],
  ["rev-list", "--objects", "--all"],
  ["rev-parse", "--verify", "HEAD"],
  ["show-ref"],
  ["symbolic-ref", "-q", "HEAD"],
  ["count-objects", "-v"],
  ["hash-object", "-w", "--path=a.txt", "a.txt"],
  ["update-index", "--refresh"],
  ["add", "-A"],
  ["write-tree"],
  ["commit", "-F", "-", "--allow-empty"],
  ["update-ref", "refs/heads/canary", "HEAD"],
  ["pack-refs", "--all"],
  ["checkout-index", "--prefix=.thehood/out/", "a.txt"],
  ["worktree", "list", "--porcelain"],
  ["worktree", "prune"],
];

async function attempt(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FailureError)) throw new Error(`${what}: ${String(error)}`, { cause: error });
    process.stdout.write(`refused ${what}: ${error.failure.code}\n`);
  }
}

async function driveWork(repository: Repository): Promise<void> {
  const worktree = await createWorktree(repository, { runId: "run_canary01", baseCommit: "HEAD" });
  writeFileSync(join(worktree.path, "a.txt"), "worker\n");
  writeFileSync(join(worktree.path, "new.txt"), "new\n");
  const capture = await captureChanges(worktree);
  await diffTrees(repository, capture.baseTree, capture.tree);
  await applyPatch(repository, { patch: capture.patch, options });
  await integrateTrees(repository, { fromTree: capture.tree, toTree: capture.baseTree });
  await pinCapture(worktree, capture);
  await removeWorktree(worktree);
  for (const kept of await listPinned(repository)) await dropPinned(repository, kept);
}

export async function drive(dir: string): Promise<void> {
  await attempt("inspect", () => inspectRepository(dir));
  await attempt("find", () => findRepository(dir));
  await attempt("config", () => readRepositoryConfig(requireRepository(dir)));
  const repository = findRepository(dir);
  if (!repository) return;
  await attempt("describe", () => describeRepository(repository));
  await attempt("exclude", () => ensureExcluded(repository));
  await attempt("tracked", () => trackedState(repository));
  await attempt("recover", () => recoverApplies(repository));
  await attempt("work", () => driveWork(repository));
  await attempt("check", () => checkPatch(repository, { patch: changed }));
  await attempt("apply", () => applyPatch(repository, { patch: newFile, options }));
  await attempt("sweep", () => sweepWorktrees(repository, () => false));
  appendFileSync(join(dir, "package.json"), "\n");
  for (const args of commands) await attempt(args.join(" "), () => git(repository, args, { stdin: "x\n" }));
  await attempt("push", () =>
    git(repository, ["push", "--porcelain", "origin", "HEAD:refs/heads/x"], { network: { protocols: [] } }),
  );
  await attempt("sync", () => gitSync(repository, ["status", "-z", "--porcelain=v1"]));
}

if (process.argv[1] === import.meta.filename) {
  for (const dir of process.argv.slice(2)) await drive(dir);
  process.stdout.write("driven\n");
}
