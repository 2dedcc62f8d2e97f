import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { FailureError } from "../../../core/contract/index.ts";
import type { RunResult } from "../../../core/contract/transport/index.ts";
import { resolveRequest } from "../options/resolve.ts";
import { ResultBuilder } from "../result/draft.ts";
import { sessionFolder } from "../sessions/folder.ts";
import type { LiveRecord } from "../sessions/record.ts";
import { AnswerFile } from "./answer-file.ts";
import { RunDeadline } from "./deadline.ts";
import { recordFailure } from "./failed.ts";

const now = () => 1_000;

/** What a run in this mode tells that fails when it has come so far. */
function failedAfter(applyMode: "apply" | "commit", made: Partial<RunResult>, signal = new AbortController().signal) {
  const flags = { engine: "api", model: "gpt-5.5", applyMode } as const;
  const { request } = resolveRequest({ flags, env: {}, user: {}, project: {}, cwd: "/", prompt: "change it" });
  const folder = sessionFolder(tempFolder(), "a-stopped-run");
  const draft = new ResultBuilder(request, folder, now);
  draft.set({ status: "success", diffApplied: true, ...made });
  const stop = new RunDeadline(60_000, signal);
  const live = { folder } as LiveRecord;
  const failure = new FailureError({ code: "git_failed", message: "The branch cannot be read." });
  recordFailure({ live, draft, stop, answerFile: new AnswerFile(folder, now), log: () => undefined }, failure);
  stop.dispose();
  return draft.result;
}

describe("[T-21] a run that fails between its patch and its commit", () => {
  it("is commit_failed, and says that the tree holds the patch", () => {
    expect(failedAfter("commit", { treeHoldsPatch: true })).toMatchObject({
      status: "commit_failed",
      diffApplied: false,
      treeHoldsPatch: true,
      commitSha: null,
      gitCommitError: "The branch cannot be read.",
    });
    expect(failedAfter("commit", { treeHoldsPatch: true }, AbortSignal.abort())).toMatchObject({
      status: "commit_failed",
      gitCommitError: "The run was cancelled.",
      error: { code: "interrupted" },
    });
  });

  it("is an error like any other where there is no patch in the tree, or a commit holds it, or none was asked for", () => {
    const other = { status: "error", gitCommitError: null, error: { code: "git_failed" } };
    expect(failedAfter("commit", {})).toMatchObject(other);
    expect(failedAfter("commit", { treeHoldsPatch: true, commitSha: "abc" })).toMatchObject(other);
    expect(failedAfter("apply", { treeHoldsPatch: true })).toMatchObject({ ...other, diffApplied: true });
  });
});
