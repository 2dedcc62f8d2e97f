// The git side of a run: a work tree that was looked at, and the four steps a patch can take into it (T-18).
import type { CommandRunner } from "../../contract/index.ts";
import { FailureError } from "../../contract/index.ts";
import type { RunRequest } from "../../contract/transport/index.ts";
import { type PatchOptions, fitLineEnds, parsePatch, printPatch } from "../../patch/index.ts";
import { applyPatch, checkPatch, checkoutReader, View } from "../../checkout/apply/index.ts";
import { git } from "../../git/index.ts";
import type { GitDoor, GitPlan, GitStep } from "../run/ports.ts";
import { currentBranch, makeBranch } from "./branches.ts";
import { commitPatch, committerPath, messageOf } from "./committer.ts";
import { type Prepared, prepareGit, requireClean } from "./preflight.ts";
import type { UserGit } from "./user.ts";

export interface GitWorld {
  user(): Promise<UserGit>;
  runner(): CommandRunner;
}

export function openGitDoor(world: GitWorld): GitDoor {
  return {
    async preflight(request, keepOut) {
      if (request.git.applyMode === "none") return null;
      const prepared = await prepareGit(request, keepOut);
      return new Plan(prepared, request, world, await world.user());
    },
  };
}

const no = (reason: string, error: string, retry: boolean): GitStep => ({ ok: false, reason, error, retry });

/** The patch is well-formed and safe, and other lines are there than it says. */
const misfits = new Set(["context_mismatch", "ambiguous_context", "line_ending_mismatch"]);

/** A person's word is needed for these; what merely is a test is the caller's own business here. */
const needsWord = new Set(["exec_config", "bidi_control", "hidden_text"]);

class Plan implements GitPlan {
  readonly #at: Prepared;
  readonly #request: RunRequest;
  readonly #world: GitWorld;
  readonly #user: UserGit;
  #changed: readonly string[] = [];

  constructor(at: Prepared, request: RunRequest, world: GitWorld, user: UserGit) {
    this.#at = at;
    this.#request = request;
    this.#world = world;
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

  #options(): PatchOptions {
    const prefix = this.#request.diff.restrictPrefix;
    // Every finding that wants approval is looked at below, path by path.
    return {
      approveProtected: true,
      requireNumericHunk: true,
      ...(prefix === null ? {} : { restrictPathPrefix: prefix }),
    };
  }

  /** A patch that cannot be read is not ours to mend: the check says what is wrong with it. */
  async fit(patch: Uint8Array): Promise<Uint8Array> {
    const { patch: read, problems } = parsePatch(patch);
    if (problems.length > 0) return patch;
    return printPatch(fitLineEnds(read, checkoutReader(new View(this.#at.repository))));
  }

  async check(patch: Uint8Array, signal: AbortSignal): Promise<GitStep> {
    const { repository } = this.#at;
    const verdict = await checkPatch(repository, { patch, options: this.#options() });
    const rejected = verdict.verdict === "reject";
    // git is not even asked about a patch that is unsafe; for one that does not fit it finds the words to go on with.
    if (rejected && !misfits.has(verdict.reason))
      return no(verdict.reason, verdict.message, verdict.reason !== "dirty_target");
    const told = await git(repository, ["apply", "--check", "-"], {
      stdin: patch,
      signal,
      accept: [0, 1, 128],
    });
    const said = told.exitCode === 0 ? "" : told.stderr.trim();
    if (rejected) return no(verdict.reason, [verdict.message, said].filter(Boolean).join("\n"), true);
    if (said !== "") return no("context_mismatch", said, true);
    const unsaid = this.#unapproved(verdict);
    if (unsaid) return no(unsaid.reason, unsaid.error, false);
    return {
      ok: true,
      warnings: verdict.findings
        .filter(({ reason }) => reason === "protected_path")
        .map(({ message }) => message),
    };
  }

  #unapproved({
    findings,
    paths,
  }: {
    findings: readonly { reason: string; path?: string; message: string }[];
    paths: readonly string[];
  }) {
    const approved = this.#request.git.approvedPaths;
    const asking = findings.find(
      ({ reason, path }) => needsWord.has(reason) && !approved.includes(path ?? ""),
    );
    if (asking)
      return {
        reason: asking.reason,
        error: `${asking.message} Nothing was applied; allow it with --approve-path ${asking.path ?? ""}`,
      };
    if (
      this.#request.git.applyMode !== "commit" ||
      !paths.includes(committerPath) ||
      approved.includes(committerPath)
    )
      return null;
    return {
      reason: "exec_config",
      error: `The patch changes ${committerPath}, which would then be run. Allow it with --approve-path ${committerPath}`,
    };
  }

  async apply(patch: Uint8Array, _signal: AbortSignal): Promise<GitStep> {
    const { repository } = this.#at;
    try {
      // An answer can take its time; the tree is looked at again right before it is touched.
      if (this.#request.git.applyMode === "commit") await requireClean(repository);
      const applied = await applyPatch(repository, { patch, options: this.#options() });
      if (applied.outcome === "refused") return no(applied.verdict.reason, applied.verdict.message, false);
      if (applied.outcome === "blocked") return no(applied.reason, applied.message, false);
      if (applied.outcome === "conflict") return no("dirty_target", applied.message, false);
      this.#changed = applied.paths;
      if (applied.outcome === "already_applied")
        return { ok: true, warnings: ["The tree held this patch already."], unchanged: true };
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
        runner: this.#world.runner(),
        signal,
      });
      return { ok: true, warnings: [], sha };
    } catch (error) {
      return no("commit_failed", messageOf(error), false);
    }
  }

  async push(signal: AbortSignal): Promise<GitStep> {
    const { repository, upstream } = this.#at;
    if (upstream === null) return no("push_failed", "There is no upstream.", false);
    const { env, credentialHelpers } = this.#user.network;
    try {
      await git(
        repository,
        ["push", "--porcelain", "--no-progress", upstream.remote, `HEAD:${upstream.ref}`],
        {
          network: { protocols: [upstream.protocol], env },
          config: credentialHelpers.map((helper) => ["credential.helper", helper] as const),
          timeoutMs: 5 * 60_000,
          signal,
        },
      );
      return { ok: true, warnings: [] };
    } catch (error) {
      return no("push_failed", messageOf(error), false);
    }
  }
}
