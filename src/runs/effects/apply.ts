// The integrator on the real checkout: exactly the approved bytes, onto exactly the tree they were made from.
import type { ApplyOutcome, WorktreePort } from "../../engine/effects/index.ts";
import { applyPatch } from "../../checkout/apply/index.ts";
import { approvable } from "../../patch/index.ts";
import type { Repository } from "../../git/index.ts";
import { binaryTools } from "../../system/index.ts";

type ApplyRequest = Parameters<WorktreePort["apply"]>[0];

export async function applyToCheckout(repository: Repository, request: ApplyRequest): Promise<ApplyOutcome> {
  const applied = await applyPatch(repository, {
    patch: request.patch,
    knownTree: request.fromTree,
    expectedTree: request.toTree,
    approvedPaths: request.approvedPaths,
    fence: request.fence,
    // Changes that needed a person's approval have it by now. A patch that must be refused is refused here once more.
    options: { binary: binaryTools, approvedReasons: approvable },
  });
  switch (applied.outcome) {
    case "applied":
    case "already_applied":
      return { ok: true, paths: applied.paths, alreadyApplied: applied.outcome === "already_applied" };
    case "blocked":
      return { ok: false, reason: "dirty_checkout", message: applied.message, paths: applied.paths };
    case "conflict":
      return {
        ok: false,
        reason: "failed",
        message: applied.message,
        paths: applied.conflicts.map(({ path }) => path),
      };
    case "refused": {
      const dirty = applied.verdict.findings.filter(({ reason }) => reason === "dirty_target");
      const paths = dirty.flatMap(({ path }) => (path === undefined ? [] : [path]));
      const reason = applied.verdict.reason === "dirty_target" ? "dirty_checkout" : "failed";
      return { ok: false, reason, message: applied.verdict.message, paths };
    }
  }
}
