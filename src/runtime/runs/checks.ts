// The checks of a repository as a run would find them now: why, what is missing for them, and their last known result.
import { rmSync } from "node:fs";
import {
  type CheckEvidence,
  type CheckPlan,
  type EventLog,
  type RunEvent,
  fail,
  failingLines,
  repoCheckPrefix,
} from "../../core/contract/index.ts";
import { missingNeeds, runCheck, treeFiles } from "../../workspace/checks/index.ts";
import { headCommit, readStatus } from "../../workspace/checkout/worktree/index.ts";
import { effectivePolicy } from "../../core/crew/policy/index.ts";
import { planChecks, scratchRoot } from "../effects/index.ts";
import { type Repository, type RepositoryLocation, fromBytePath, requireRepository } from "../../platform/git/index.ts";
import type { CheckRow, ChecksReport, TestOptions, TestedCheck } from "../../operations/index.ts";
import type { RunsDeps } from "./deps.ts";
import { redact } from "../../core/secrets/index.ts";

/** How many runs are asked for a result on this very tree. */
const mostRuns = 20;

interface FoundChecks {
  readonly repository: Repository;
  readonly head: { readonly commit: string; readonly tree: string } | undefined;
  readonly plan: CheckPlan;
}

async function findChecks({ root }: RepositoryLocation, host: RunsDeps): Promise<FoundChecks> {
  const repository = requireRepository(root);
  const head = await headCommit(repository);
  const policy = effectivePolicy(await host.configs(root));
  const plan = head ? await planChecks(repository, head.tree, policy) : { checks: [], findings: [] };
  return { repository, head, plan };
}

export async function lookAtChecks(
  place: RepositoryLocation,
  host: RunsDeps,
  log: () => Promise<EventLog<RunEvent>>,
): Promise<ChecksReport> {
  const { repository, head, plan } = await findChecks(place, host);
  const { entries } = await readStatus(repository);
  const uncommitted = entries.map(({ path }) => fromBytePath(path));
  const report = { repo: place.root, commit: head?.commit ?? null, findings: plan.findings, uncommitted };
  if (!head) return { ...report, checks: [] };
  const files = await treeFiles(repository, head.tree);
  const missing = await missingNeeds({ repository, runner: host.commands }, files, plan.checks);
  const known = await baselines(await log(), head.tree);
  const checks = plan.checks.map((spec, at): CheckRow => {
    const last = known.get(spec.id);
    const { id, kind, argv, cwd, source, timeoutMs } = spec;
    return {
      id,
      kind,
      argv,
      cwd,
      source,
      timeoutMs,
      missing: missing[at] ?? [],
      baseline: last ? { result: last.result, durationMs: last.durationMs, note: last.note } : null,
    };
  });
  return { ...report, checks };
}

/** The newest result of each check on exactly this tree. */
async function baselines(log: EventLog<RunEvent>, tree: string): Promise<ReadonlyMap<string, CheckEvidence>> {
  const known = new Map<string, CheckEvidence>();
  for (const { runId } of await log.list({ limit: mostRuns }))
    for (const { event } of (await log.read(runId)).toReversed())
      if (event.type === "check_executed" && event.check.tree === tree && !event.check.cut)
        if (!known.has(event.check.checkId)) known.set(event.check.checkId, event.check);
  return known;
}

export async function testChecks(
  place: RepositoryLocation,
  host: RunsDeps,
  { ids, signal, tell }: TestOptions,
): Promise<readonly TestedCheck[]> {
  const { repository, head, plan } = await findChecks(place, host);
  if (plan.checks.length === 0)
    fail(
      "not_found",
      head ? "No check was found here: nothing was tested." : "There is no commit yet: nothing was tested.",
      {
        remedy: head
          ? "Add one: thehood checks add NAME -- COMMAND"
          : "Commit something first: git add -A && git commit",
      },
    );
  // A check that the user added is found by the name that they gave it.
  const isNamed = (id: string, name: string) => id === name || id === `${repoCheckPrefix}${name}`;
  const unknown = ids.find((id) => !plan.checks.some((check) => isNamed(check.id, id)));
  if (unknown !== undefined)
    fail("not_found", `There is no check "${unknown.slice(0, 100)}".`, {
      remedy: `Known: ${plan.checks.map(({ id }) => id).join(", ") || "none"}. List them: thehood checks`,
    });
  const secrets = await host.secrets();
  const folder = scratchRoot(host.scratchFolders, repository.top, `checks-${process.pid}`);
  const tested: TestedCheck[] = [];
  try {
    for (const spec of plan.checks.filter(({ id }) => ids.length === 0 || ids.some((name) => isNamed(id, name)))) {
      if (signal.aborted) break;
      tell(`${spec.id}: ${spec.argv.join(" ")}`);
      const run = {
        repository,
        runner: host.commands,
        scratchRoot: folder,
        spec,
        tree: head?.tree ?? "",
        signal,
      };
      const { result, why, testsRun, command } = await runCheck(run);
      const text = `${Buffer.from(command.stdout).toString("utf8")}\n${Buffer.from(command.stderr).toString("utf8")}`;
      const lines = failingLines(redact(text.trimEnd(), secrets).text);
      const { id, kind, argv } = spec;
      const shown = result === "passed" ? [] : lines;
      tested.push({ id, kind, argv, result, why, testsRun, durationMs: command.durationMs, lines: shown });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tested;
}
