// The looks that come before a decider is asked: at the repository, git's state, the checks, and the files it wants.
import type { Effect, ResolvedAssignment } from "../../contract/index.ts";
import { connected } from "../call/sources.ts";
import { firstRole, withoutBaseline } from "../facts/index.ts";
import { checkFiles } from "../review/index.ts";
import type { Delegating, Planning, Run } from "../state/index.ts";
import { withinTimeLeft } from "../facts/budget.ts";

function firstLook(run: Run): Effect | undefined {
  const { baseCommit, baseTree, mode, policy } = run.created;
  if (!run.inspection) return { kind: "inspect_repository", key: "inspect", baseCommit };
  if (run.inspection.git && !run.before)
    return { kind: "capture_git_evidence", key: "git:before", moment: "before", pass: 0 };
  if (mode === "implement" && run.checks === null && baseTree !== null)
    return { kind: "discover_checks", key: "checks:base", variant: "base", tree: baseTree, policy };
  return mode === "implement" ? baselineCheck(run) : undefined;
}

/** The next check that has no result on the base commit yet. It has its own time limit, within what the run has left. */
function baselineCheck(run: Run): Effect | undefined {
  const { baseTree: tree } = run.created;
  const [check] = withoutBaseline(run);
  if (!check || tree === null) return undefined;
  const timeoutMs = withinTimeLeft(run, check.timeoutMs);
  return {
    kind: "run_check",
    key: `baseline:${tree}:${check.id}`,
    pass: 0,
    check,
    timeoutMs,
    variant: "base",
    tree,
    early: true,
    baseTree: tree,
    checkFiles: checkFiles(run),
    productFiles: [],
  };
}

/** A guest on the web may use the forge's own connector instead of excerpts. */
export function remoteLook(
  run: Run,
  guest: ResolvedAssignment | undefined = run.roles[firstRole(run)],
): Effect | undefined {
  if (run.remote !== null || guest?.provider !== connected) return undefined;
  return {
    kind: "select_remote_context",
    key: "remote",
    provider: guest.provider,
    connectorConfirmed: run.created.policy.githubConnectorConfirmed,
  };
}

export function nextLook(run: Run, phase: Planning | Delegating): Effect | undefined {
  const first = firstLook(run);
  // An unsafe repository is not inspected any further.
  if (first || run.inspection?.safe === false) return run.inspection?.safe === false ? undefined : first;
  const remote = remoteLook(run);
  if (remote) return remote;
  if (!phase.wanted) return undefined;
  return {
    kind: "capture_repo_context",
    key: `context:${phase.wanted.callId}`,
    goal: run.created.goal,
    paths: phase.wanted.paths,
    previous: run.contexts.map(({ context }) => context),
  };
}
