// Records git's status and diff of the checkout (R-70). If git fails, the evidence is failed, not clean.
// Where failed evidence would end the run, a git that cannot answer just now is trouble instead: the run waits.
import {
  type ArtifactRef,
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  FailureError,
  type RepositoryState,
  fail,
  isTrouble,
} from "../../core/contract/index.ts";
import { putJson } from "./redaction.ts";
import { showableDiff } from "../../workspace/checkout/read/index.ts";
import { type EffectDeps, repositoryOf, stateOf } from "./deps.ts";

export async function captureGitEvidence(
  deps: EffectDeps,
  effect: EffectOf<"capture_git_evidence">,
  { created }: EffectContext,
): Promise<EffectOutcome> {
  const { moment, pass } = effect;
  const endsTheRun = created.mode === "implement" && moment !== "asked";
  const failures: string[] = [];
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      if (endsTheRun && isTrouble(error.failure.code)) throw error;
      failures.push(`${what}: ${error.failure.message}`);
      return null;
    }
  };
  // A checkout without changes has no difference to ask for.
  const diffFrom = async (from: string) =>
    state?.head === from && state.status.every(({ code }) => code === "??" || code === "!!")
      ? new Uint8Array()
      : await showableDiff(repositoryOf(deps), created.baseTree ?? from);
  const state = await attempt("status", () => stateOf(deps));
  if (state === null && failures.length === 0) {
    if (endsTheRun && created.baseCommit !== null)
      fail("git_failed", "The checkout of this run cannot be found as a git repository just now.", {
        remedy: "Bring the checkout back to its place, then continue the run.",
      });
    failures.push("status: not a git repository");
  }
  const base = created.baseCommit ?? state?.head ?? null;
  const diff = base === null ? null : await attempt("diff", () => diffFrom(base));
  // Shown to people only: nothing is compared with these names.
  const changedPaths = state?.status.map(({ path }) => deps.text.redact(path)) ?? [];
  const summary = {
    kind: "git_evidence",
    moment,
    pass,
    head: state?.head ?? null,
    branch: state?.branch ?? null,
    base,
    changedPaths: changedPaths.slice(0, 1_000),
    changedPathCount: changedPaths.length,
    failures,
  };
  return {
    kind: "capture_git_evidence",
    evidence: {
      summary: await putJson(deps, "metadata", summary, `git evidence, ${moment} pass ${pass}`),
      status: state && (await putText(deps, statusText(state), "git status")),
      diff: diff && (await putText(deps, deps.text.decode(diff), "git diff against the base commit")),
      changedPaths,
      ok: failures.length === 0,
      head: state?.head ?? null,
    },
  };
}

/** As `git status --short --branch` shows it. */
function statusText({ branch, upstream, head, status }: RepositoryState): string {
  const where = `## ${branch ?? "HEAD (no branch)"}${upstream === null ? "" : `...${upstream}`} at ${head ?? "no commit"}`;
  return `${[where, ...status.map(({ code, path }) => `${code} ${path}`)].join("\n")}\n`;
}

/** People and models read this text, so it is redacted; the patch that is applied is another artifact. */
function putText(deps: EffectDeps, text: string, summary: string): Promise<ArtifactRef> {
  const about = { kind: "evidence", mediaType: "text/plain; charset=utf-8", summary } as const;
  return deps.artifacts.put(deps.text.redact(text), about);
}
