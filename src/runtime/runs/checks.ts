// The checks of a repository as a run would find them now: why, what is missing for them, and their last known result.
import { rmSync } from "node:fs";
import {
  type CheckEvidence,
  type CheckPlan,
  type CheckSpec,
  type EffectOf,
  type EventLog,
  type Policy,
  type RunEvent,
  type Store,
  fail,
  failingLines,
  repoCheckPrefix,
} from "../../core/contract/index.ts";
import { emptySubmodules, missingLargeFiles, missingNeeds, treeFiles } from "../../workspace/checks/index.ts";
import { headCommit, readStatus } from "../../workspace/checkout/worktree/index.ts";
import { effectivePolicy } from "../../core/crew/policy/index.ts";
import { effectDeps, knownResult, planChecks, runCheck, scratchRoot, withLacks } from "../effects/index.ts";
import { type Repository, type RepositoryLocation, fromBytePath, requireRepository } from "../../platform/git/index.ts";
import type { CheckRow, ChecksReport, TestOptions, TestedCheck } from "../../operations/index.ts";
import type { RunsDeps } from "./deps.ts";
import { makeStateFolder } from "./engine.ts";
import { openStoreOf } from "./store/open.ts";
import { keepTested, testedCheck, type TestedOnTree } from "./tested-checks.ts";

/** How many runs are asked for a result on this very tree. */
const mostRuns = 20;

interface FoundChecks {
  readonly repository: Repository;
  readonly head: { readonly commit: string; readonly tree: string } | undefined;
  readonly policy: Policy;
  readonly plan: CheckPlan;
  /** What is said of files whose content is not on this machine. */
  readonly large: readonly string[];
}

async function findChecks({ root }: RepositoryLocation, host: RunsDeps): Promise<FoundChecks> {
  const repository = requireRepository(root);
  const head = await headCommit(repository);
  const policy = effectivePolicy(await host.configs(root));
  if (!head) return { repository, head, policy, plan: { checks: [], findings: [] }, large: [] };
  const plan = await planChecks(repository, head.tree, policy);
  const large = [
    ...(await missingLargeFiles(repository, head.tree)),
    ...(await emptySubmodules(repository, head.tree)),
  ];
  return { repository, head, policy, plan, large };
}

export async function lookAtChecks(
  place: RepositoryLocation,
  host: RunsDeps,
  log: () => Promise<EventLog<RunEvent>>,
): Promise<ChecksReport> {
  const { repository, head, plan, large } = await findChecks(place, host);
  const { entries } = await readStatus(repository);
  const uncommitted = entries.map(({ path }) => fromBytePath(path));
  const report = {
    repo: place.root,
    commit: head?.commit ?? null,
    findings: [...plan.findings, ...large],
    uncommitted,
  };
  if (!head) return { ...report, checks: [] };
  const files = await treeFiles(repository, head.tree);
  const missing = await missingNeeds({ repository, runner: host.commands }, files, plan.checks);
  const known = await baselines(await log(), head.tree);
  const checks = plan.checks.map((spec, at): CheckRow => {
    const [run, tested] = [known.get(spec.id), testedCheck(place.stateDir, head.tree, spec.id)];
    const last = run && tested ? (run.at > tested.at ? run : tested).check : (run ?? tested)?.check;
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
async function baselines(log: EventLog<RunEvent>, tree: string): Promise<ReadonlyMap<string, TestedOnTree>> {
  const known = new Map<string, TestedOnTree>();
  for (const { runId } of await log.list({ limit: mostRuns }))
    for (const { at, event } of (await log.read(runId)).toReversed())
      if (event.type === "check_executed" && event.check.tree === tree && !event.check.cut)
        if (!known.has(event.check.checkId)) known.set(event.check.checkId, { at, check: event.check });
  return known;
}

/** The checks that are asked for, on the last commit. */
function chooseChecks({ head, plan }: FoundChecks, ids: readonly string[]) {
  if (!head || plan.checks.length === 0)
    return fail(
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
  const chosen = plan.checks.filter(({ id }) => ids.length === 0 || ids.some((name) => isNamed(id, name)));
  return { chosen, tree: head.tree };
}

export async function testChecks(
  place: RepositoryLocation,
  host: RunsDeps,
  { ids, signal, tell }: TestOptions,
): Promise<readonly TestedCheck[]> {
  const found = await findChecks(place, host);
  const { repository, large, policy } = found;
  const { chosen, tree } = chooseChecks(found, ids);
  for (const line of large) tell(line);
  makeStateFolder(place);
  const store = await openStoreOf(place, host, { mode: "write" });
  const deps = await depsOf(place, host, store);
  const files = await treeFiles(repository, tree);
  const lacking = withLacks(chosen, await missingNeeds({ repository, runner: host.commands }, files, chosen));
  const runId = `checks-${process.pid}`;
  const tested: TestedCheck[] = [];
  try {
    for (const check of lacking) {
      if (signal.aborted) break;
      tell(`${check.id}: ${check.argv.join(" ")}`);
      const context = { runId, created: { policy }, signal, progress: () => undefined };
      const { result } = await runCheck(deps, baseCheck(check, tree), context);
      if (!signal.aborted) keepTested(place.stateDir, { at: Date.now(), check: result });
      tested.push(await describeTested(deps, check, result));
    }
  } finally {
    rmSync(scratchRoot(host.scratchFolders, repository.top, runId), { recursive: true, force: true });
    await store.close();
  }
  return tested;
}

const depsOf = async (place: RepositoryLocation, host: RunsDeps, { artifacts }: Store<RunEvent>) =>
  effectDeps({
    ...place,
    artifacts,
    providers: await host.providers(place.root),
    commands: host.commands,
    scratchFolders: host.scratchFolders,
    secrets: await host.secrets(),
    classify: (argv, cwd, where) => host.classify(argv, place.root, cwd, where),
  });

async function describeTested(
  deps: Awaited<ReturnType<typeof depsOf>>,
  spec: CheckSpec,
  { tree, result, note, exitCode, testsRun, durationMs, stdout, stderr }: CheckEvidence,
): Promise<TestedCheck> {
  const { id, kind, argv } = spec;
  const why = knownResult(deps, spec, tree)?.why ?? note ?? `exit ${String(exitCode)}`;
  const logs = [stdout, stderr].filter((ref) => ref !== null);
  const texts = result === "passed" ? [] : await Promise.all(logs.map(({ ref }) => deps.artifacts.read(ref)));
  const lines = failingLines(texts.map((bytes) => deps.text.decode(bytes)).join("\n"));
  return { id, kind, argv, result, why, testsRun, durationMs, lines: result === "passed" ? [] : lines };
}

const baseCheck = (check: CheckSpec, tree: string): EffectOf<"run_check"> => ({
  kind: "run_check",
  key: check.id,
  pass: 0,
  check,
  timeoutMs: check.timeoutMs,
  variant: "base",
  tree,
  baseTree: tree,
  checkFiles: [],
  productFiles: [],
});
