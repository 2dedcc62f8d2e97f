// The empty result that every outcome starts from, so that every key is present (T-27).
import type { RunError, RunResult } from "./schema/result.ts";

export function blankResult(known: Partial<RunResult>): RunResult {
  return {
    schemaVersion: 1,
    sessionId: null,
    status: "error",
    engine: null,
    model: null,
    diffFound: false,
    diffValidated: false,
    diffApplied: false,
    treeHoldsPatch: false,
    applyMode: "none",
    branch: null,
    commitSha: null,
    pushed: false,
    retryCount: 0,
    elapsedMs: 0,
    promptChars: 0,
    responseChars: 0,
    patchBytes: 0,
    diffPath: null,
    answerPath: null,
    answerHtmlPath: null,
    captureSource: null,
    secretScan: { status: "ok", matches: [] },
    diffScore: null,
    diffBlocks: null,
    diffReason: null,
    gitApplyError: null,
    approvalPath: null,
    gitCommitError: null,
    gitPushError: null,
    gitVersion: null,
    snapshots: [],
    files: [],
    usage: null,
    costUsd: null,
    warnings: [],
    error: null,
    ...known,
  };
}

export const errorResult = (error: RunError, known: Partial<RunResult> = {}): RunResult =>
  blankResult({ ...known, status: "error", error });
