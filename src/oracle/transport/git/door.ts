// The git side of a run: a checked work tree, and the four steps of a patch in it: check, apply, commit, push (T-18).
import type { CommandRunner, PatchVerdict } from "../../../core/contract/index.ts";
import { FailureError, fail } from "../../../core/contract/index.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import {
  type CountSecrets,
  type PatchOptions,
  type TreeReader,
  changedPaths,
  fitLineEnds,
  parsePatch,
  printPatch,
  warningsOf,
} from "../../../core/patch/index.ts";
import {
  type ApplyRequest,
  applyPatch,
  checkPatch,
  checkoutReader,
  heldAlready,
  CheckoutView,
} from "../../../workspace/checkout/apply/index.ts";
import type { GitDoor, GitPlan, GitStep } from "../ports.ts";
import { currentBranch, makeBranch } from "./branches.ts";
import { commitDone, commitPatch, hasHelper, insistSamePatch, messageOf, noteCommit } from "./committer.ts";
import { runByHelper } from "./helper-scripts.ts";
import { type Prepared, prepareGit, requireClean } from "./preflight.ts";
import { skippedHooks } from "./skipped-hooks.ts";
import { pushRefs, type UserGit } from "../../../platform/git/user/index.ts";

interface GitDeps {
  /** The user's git identity and settings for the work tree with this top. */
  user(top: string): Promise<UserGit>;
  runner(): CommandRunner;
  readonly countSecrets: CountSecrets;
}

export function openGitDoor(deps: GitDeps): GitDoor {
  return {
    async preflight(request, keepOut) {
      if (request.git.applyMode === "none") return null;
      const prepared = await prepareGit(request, keepOut);
      return new Plan(prepared, request, deps, await deps.user(prepared.repository.top));
    },
  };
}

const no = (reason: string, error: string, retry: boolean): GitStep => ({ ok: false, reason, error, retry });

/** An approval and a dirty tree need a person; for every other reason another patch may help. */
function refused(verdict: PatchVerdict, gitSaid: string | null = null): GitStep {
  const { reason, message, findings } = verdict;
  if (verdict.verdict === "approval") {
    const path = findings.find((finding) => finding.reason === reason && finding.message === message)?.path;
    if (path === undefined) return no(reason, `${message}. Nothing was applied.`, false);
    const error = `${message}. Nothing was applied; allow it with --approve-path ${path}`;
    return { ok: false, reason, error, retry: false, approvalPath: path };
  }
  const said = gitSaid === null || gitSaid === message ? [] : [gitSaid];
  return no(reason, [message, ...said].join("\n"), reason !== "dirty_target");
}

class Plan implements GitPlan {
  readonly #at: Prepared;
  readonly #request: RunRequest;
  readonly #deps: GitDeps;
  readonly #user: UserGit;
  #changed: readonly string[] = [];
  #commit: string | null = null;

  constructor(at: Prepared, request: RunRequest, deps: GitDeps, user: UserGit) {
    this.#at = at;
    this.#request = request;
    this.#deps = deps;
    this.#user = user;
  }

  get root(): string {
    return this.#at.repository.top;
  }

  get version(): string {
    return this.#user.version;
  }

  branch(): Promise<string | null> {
    return currentBranch(this.#at.repository);
  }

  /** A changed test is only reported here; every other change that needs approval is approved by path. */
  async #options(patch: Uint8Array): Promise<PatchOptions> {
    const { diff, git: wanted } = this.#request;
    const paths = wanted.applyMode === "commit" ? changedPaths(parsePatch(patch).patch) : [];
    return {
      // Without strict mode a diff of renames or modes alone has passed as a conversion.
      requireNumericHunk: diff.strict,
      approvedReasons: ["protected_path"],
      approvedPaths: wanted.approvedPaths,
      runAfterwards: paths.length === 0 ? [] : await runByHelper(this.#at.repository, paths),
      ...(diff.restrictPrefix === null ? {} : { restrictPathPrefix: diff.restrictPrefix }),
    };
  }

  async #applyRequest(patch: Uint8Array): Promise<ApplyRequest> {
    return { patch, options: await this.#options(patch), countSecrets: this.#deps.countSecrets };
  }

  tree(): TreeReader {
    return checkoutReader(new CheckoutView(this.#at.repository));
  }

  /** A patch that does not parse is returned unchanged: the check reports why. */
  async fit(patch: Uint8Array): Promise<Uint8Array> {
    const { patch: read, problems } = parsePatch(patch);
    if (problems.length > 0) return patch;
    return printPatch(fitLineEnds(read, this.tree()));
  }

  async check(patch: Uint8Array, signal: AbortSignal): Promise<GitStep> {
    const checked = await checkPatch(this.#at.repository, await this.#applyRequest(patch), signal);
    if (checked.verdict === "accept")
      return { ok: true, warnings: [...warningsOf(checked), ...(checked.there ? [heldAlready] : [])] };
    return refused(checked, checked.gitSaid);
  }

  /** A commit is made on the branch that was checked out when the run began, and holds only the patch. */
  async #sameAsBefore(): Promise<void> {
    const { repository, began } = this.#at;
    const now = await currentBranch(repository);
    if (now !== began)
      fail(
        "conflict",
        `${began ?? "no branch"} was checked out when the run began, and ${now ?? "no branch"} is now. Nothing was changed.`,
      );
    await requireClean(repository);
  }

  async apply(patch: Uint8Array, _signal: AbortSignal): Promise<GitStep> {
    const { repository } = this.#at;
    try {
      // An answer can take long, so the tree is checked again right before it is changed.
      const commits = this.#request.git.applyMode === "commit";
      if (commits) await this.#sameAsBefore();
      if (commits) await insistSamePatch(repository, patch);
      const paths = commits ? changedPaths(parsePatch(patch).patch) : [];
      const fence = async (commit: () => void) => {
        if (commits) await noteCommit(repository, patch, paths);
        commit();
      };
      const applied = await applyPatch(repository, { ...(await this.#applyRequest(patch)), fence });
      const isThere = applied.outcome === "applied" || applied.outcome === "already_applied";
      if (commits && !isThere) commitDone(repository);
      if (applied.outcome === "refused") return refused(applied.verdict);
      if (applied.outcome === "blocked") return no(applied.reason, applied.message, false);
      if (applied.outcome === "conflict") return no("dirty_target", applied.message, false);
      this.#changed = applied.paths;
      if (applied.outcome === "already_applied") return { ok: true, warnings: [], unchanged: true };
      return { ok: true, warnings: [] };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const dirty = error.failure.code === "conflict";
      return no(dirty ? "dirty_target" : "git_failed", error.failure.message, false);
    }
  }

  async commit(signal: AbortSignal): Promise<GitStep & { sha?: string }> {
    const { repository, makeBranch: isNew, branch } = this.#at;
    try {
      if (isNew && branch !== null) await makeBranch(repository, branch);
      const sha = await commitPatch({
        repository,
        paths: this.#changed,
        message: this.#request.git.commitMessage,
        user: this.#user,
        runner: this.#deps.runner(),
        signal,
      });
      this.#commit = sha;
      commitDone(repository);
      const warnings = (await hasHelper(repository)) ? [] : skippedHooks(this.#user.hooks, this.#request.git.push);
      return { ok: true, warnings, sha };
    } catch (error) {
      return no("commit_failed", messageOf(error), false);
    }
  }

  async push(signal: AbortSignal): Promise<GitStep> {
    const { repository, upstream } = this.#at;
    if (upstream === null || this.#commit === null)
      return no("push_failed", "There is no upstream, or no commit to push.", false);
    try {
      await pushRefs(repository, this.#user.network, upstream, [`${this.#commit}:${upstream.ref}`], signal);
      return { ok: true, warnings: [] };
    } catch (error) {
      return no("push_failed", messageOf(error), false);
    }
  }
}
