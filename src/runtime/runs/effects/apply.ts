// The integrator on the real checkout: exactly the approved bytes, onto exactly the tree they were made from.
import type { ApplyOutcome, CheckoutFiles, WorktreePort } from "../../engine/effects/index.ts";
import { applyPatch } from "../../../workspace/checkout/apply/index.ts";
import { approvable } from "../../../core/patch/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { binaryTools } from "../../../platform/system/index.ts";
import { lookAtCheckout } from "./candidate.ts";

type ApplyRequest = Parameters<WorktreePort["apply"]>[0];

/** Nothing was touched: the checkout holds another tree than the one that the work was verified on. */
class Moved extends Error {
  readonly found: CheckoutFiles;
  constructor(found: CheckoutFiles) {
    super("The checkout moved while the work waited for its turn.");
    this.found = found;
  }
}

/** `keepTurn` is given the lock on applying when the work is in the checkout, and must release it. */
export async function applyToCheckout(
  repository: Repository,
  request: ApplyRequest,
  keepTurn: (release: () => void) => void,
): Promise<ApplyOutcome> {
  const { fromTree, toTree, approvedPaths: paths } = request;
  const lookFirst = async () => {
    const found = await lookAtCheckout(repository, { expected: fromTree, paths, since: null });
    // A crash may have left the work there already.
    if (found.tree === toTree) return;
    const { whole = null } = request.exact ?? {};
    if (found.tree !== fromTree || (whole !== null && found.whole !== whole)) throw new Moved(found);
  };
  try {
    return told(
      await applyPatch(repository, {
        patch: request.patch,
        knownTree: fromTree,
        expectedTree: toTree,
        approvedPaths: paths,
        fence: request.fence,
        ...(request.exact ? { lookFirst, keepLock: keepTurn } : {}),
        // Changes that needed a person's approval have it by now. A patch that must be refused is refused here once more.
        options: { binary: binaryTools, approvedReasons: approvable },
      }),
    );
  } catch (error) {
    if (error instanceof Moved) return { ok: false, reason: "moved", found: error.found };
    throw error;
  }
}

function told(applied: Awaited<ReturnType<typeof applyPatch>>): ApplyOutcome {
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
