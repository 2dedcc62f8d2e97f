// The effects after the worker's response: capture its patch, judge it, gather evidence about it, look at the checkout,
// build it again where the checkout moved, apply it.
import type { Effect } from "../../contract/index.ts";
import {
  currentPlan,
  acceptedOf,
  callOf,
  declaredProduct,
  deliveryOf,
  fromTree,
  passAt,
  productFiles,
} from "../facts/index.ts";
import {
  baseTree,
  blindChecks,
  blindRunDue,
  checkFiles,
  dueCheck,
  evidenceFor,
  needsOwnChecks,
  reviewTree,
  candidateStep,
} from "../review/index.ts";
import { appliesFirst } from "../policy/index.ts";
import type { Implementing, Integrating, Pass, Run, Verifying } from "../state/index.ts";
import { withinTimeLeft } from "../facts/budget.ts";

function taskPaths(run: Run): { taskPaths: readonly string[]; taskDisallowedPaths: readonly string[] } {
  const decided = run.calls.findLast((call) => call.record.phase === "delegate" && acceptedOf(run, call.record.callId));
  const brief = acceptedOf(run, decided?.record.callId ?? currentPlan(run)?.callId ?? null)?.brief;
  if (brief?.contract !== "orchestrator_decision" && brief?.contract !== "planner_decision")
    return { taskPaths: [], taskDisallowedPaths: [] };
  const { allowedPaths, disallowedPaths } = brief;
  return {
    taskPaths: allowedPaths.length > 0 ? [...allowedPaths, ...run.scope.widened] : [],
    taskDisallowedPaths: disallowedPaths,
  };
}

export function nextForWorker(run: Run, phase: Implementing): Effect | undefined {
  const pass = passAt(run, phase.pass);
  const baseCommit = run.base.commit;
  const from = fromTree(run);
  if (pass.callId === null || baseCommit === null || from === null) return undefined;
  const call = callOf(run, pass.callId);
  if (!pass.captured)
    return {
      kind: "capture_patch",
      key: `capture:${pass.number}`,
      pass: pass.number,
      workspace: call?.record.workspace === "direct" ? "direct" : "worktree",
      baseCommit,
      fromTree: from,
      invocation: call?.result?.artifacts.find(({ kind }) => kind === "provider_invocation")?.ref ?? null,
    };
  return nextJudgement(run, pass);
}

function nextJudgement(run: Run, pass: Pass): Effect | undefined {
  const patch = pass.captured?.patch;
  if (!patch || pass.judgement) return undefined;
  const { allowedPaths, disallowedPaths } = run.scope;
  const policy = { ...run.created.policy, allowedPaths: [...allowedPaths], disallowedPaths: [...disallowedPaths] };
  return {
    kind: "judge_patch",
    key: `judge:${pass.number}${patch.fromTree === run.created.baseTree ? "" : `:${patch.fromTree}`}`,
    pass: pass.number,
    patch,
    policy,
    checkFiles: checkFiles(run),
    product: { globs: declaredProduct(run), baseTree: baseTree(run) },
    ...taskPaths(run),
  };
}

export function nextForIntegration(run: Run, phase: Integrating): Effect | undefined {
  const pass = passAt(run, phase.pass);
  if (phase.blocked) return undefined;
  if (appliesFirst(run.created.policy)) return pass.integration ? undefined : applyOf(run, pass);
  return nextForCandidate(run, pass);
}

function applyOf(run: Run, pass: Pass): Effect | undefined {
  const baseCommit = run.base.commit;
  if (!pass.captured?.patch || !pass.judgement || baseCommit === null) return undefined;
  const tries = run.approvals.filter(
    ({ kind }) => kind === "dirty_checkout_before_patch" || kind === "integration_failed",
  ).length;
  return {
    kind: "apply_patch",
    key: `apply:${pass.number}:${tries}`,
    pass: pass.number,
    patch: pass.captured.patch,
    judgement: pass.judgement,
    baseCommit,
  };
}

export function nextForReview(run: Run, phase: Verifying): Effect | undefined {
  const pass = passAt(run, phase.pass);
  if (!pass.evidence)
    return {
      kind: "capture_git_evidence",
      key: evidenceKey(pass),
      moment: "after",
      pass: pass.number,
    };
  if (run.created.mode !== "implement") return undefined;
  if (needsOwnChecks(run, pass))
    return {
      kind: "discover_checks",
      key: `checks:work:${pass.number}`,
      variant: "work",
      tree: reviewTree(run),
      policy: run.created.policy,
    };
  const due = dueCheck(run, pass);
  if (!due) return nextForBlindTests(run, pass);
  const before = evidenceFor(run, due.check.id, "base", baseTree(run));
  return {
    kind: "run_check",
    key: `check:${due.variant}:${due.tree}:${due.check.id}`,
    pass: pass.number,
    check: due.check,
    timeoutMs: withinTimeLeft(run, due.check.timeoutMs),
    variant: due.variant,
    tree: due.tree,
    baseTree: baseTree(run),
    checkFiles: checkFiles(run),
    productFiles: productFiles(run),
    ...(before?.baseline ? { baseline: before.baseline } : {}),
  };
}

/** The answer stays the same for every pass; it is asked for once in a run. */
function nextForBlindTests(run: Run, pass: Pass): Effect | undefined {
  const call = blindRunDue(run, pass) ? callOf(run, run.blind) : undefined;
  const response = call && acceptedOf(run, run.blind)?.response;
  const checks = response ? blindChecks(run, pass) : [];
  if (!call || !response || checks.length === 0) return undefined;
  const tree = reviewTree(run);
  return {
    kind: "run_blind_tests",
    key: `blind:${pass.number}:${tree}`,
    pass: pass.number,
    callId: call.record.callId,
    response,
    author: call.record.assignment.assignment,
    checks,
    timeoutMs: withinTimeLeft(run, run.created.policy.budgets.checkTimeoutMs),
    tree,
    baseTree: baseTree(run),
    checkFiles: checkFiles(run),
    productFiles: productFiles(run),
  };
}

/** Evidence is captured again after a candidate was built again or applied, under a name of its own. */
const evidenceKey = ({ number, looks }: Pass): string =>
  `git:after:${number}${looks.length === 0 ? "" : `:${looks.length}`}`;

const mostLooks = 10;

/** What goes on a branch of its own is compared with HEAD where the user edits the same files. */
const besideEdits = (run: Run) => (deliveryOf(run).branch === undefined ? {} : { forBranch: true as const });

const lookOf = (run: Run, pass: Pass, moment: "before" | "last", expected: string): Effect => ({
  kind: "look_at_checkout",
  key: `look:${pass.number}:${pass.looks.length}`,
  pass: pass.number,
  moment,
  expected,
  paths: pass.captured?.patch?.changedPaths ?? [],
  since: moment === "before" ? null : (pass.looks.findLast((look) => look.moment === "before")?.whole ?? null),
  ...besideEdits(run),
});

function nextForCandidate(run: Run, pass: Pass): Effect | undefined {
  const patch = pass.captured?.patch;
  const { commit, tree } = run.base;
  if (!patch || commit === null || tree === null) return undefined;
  const step = candidateStep(run, pass);
  switch (step) {
    case "judge":
      return nextJudgement(run, pass);
    case "look":
      return lookOf(run, pass, "before", patch.fromTree);
    case "rebuild":
    case "rebuild_both": {
      const key = `rebuild:${pass.number}:${pass.looks.length}`;
      const base = { commit, tree };
      const asItIs = step === "rebuild_both" ? { asItIs: true as const } : {};
      return { kind: "rebuild_candidate", key, pass: pass.number, base, patch, ...asItIs, ...besideEdits(run) };
    }
    case "apply": {
      const effect = applyOf(run, pass);
      const count = pass.looks.length;
      // An untracked file that keeps changing must not block the work for ever.
      const whole = count > mostLooks ? null : (pass.looks.at(-1)?.whole ?? null);
      // Tried again after the checkout moved, it is another effect.
      return effect?.kind === "apply_patch" ? { ...effect, key: `${effect.key}:${count}`, exact: { whole } } : effect;
    }
    case "evidence":
      return { kind: "capture_git_evidence", key: evidenceKey(pass), moment: "after", pass: pass.number };
    case "look_last":
      return lookOf(run, pass, "last", patch.tree);
    default:
      return undefined;
  }
}
