// The runs of one repository. Looking opens the store for reading only and loads no provider; the engine is built when a
// run is to move.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Actor, ArtifactRef } from "../../core/contract/index.ts";
import type { RepositoryRuns, StartRun } from "../../operations/index.ts";
import { locateTrustedRepository, showState, type RepositoryLocation } from "../../platform/git/index.ts";
import type { RunsDeps } from "./deps.ts";
import { readOnlyRuns } from "./read-only.ts";
import { openOnDemand, type OnDemand } from "./on-demand.ts";

const keeper = () => import("./pinned.ts");
const commits = () => import("./commits.ts");
const requests = () => import("./pull-request.ts");
const addresses = () => import("./push-address.ts");
const bases = () => import("./request-base.ts");
const archives = () => import("./archive/retire.ts");

/** With the values of the files that workers get beside those of the commit. They are looked up once. */
function withIncluded(place: RepositoryLocation, host: RunsDeps): RunsDeps {
  const { repository } = place;
  if (!repository || !existsSync(join(repository.top, ".worktreeinclude"))) return host;
  let values: Promise<readonly string[]> | undefined;
  return {
    ...host,
    async secrets() {
      const { includedValues } = await import("../../workspace/checkout/worktree/index.ts");
      const { valueRules } = await import("../../core/secrets/index.ts");
      const plain = await host.secrets();
      const found = await (values ??= includedValues(repository));
      return found.length === 0 ? plain : { ...plain, rules: valueRules(found, plain.rules) };
    },
  };
}

export async function openRuns(folder: string, given: RunsDeps): Promise<RepositoryRuns> {
  const place = await locateTrustedRepository(folder);
  const host = withIncluded(place, given);
  if (place.repository) showState(place.repository);
  await finishInterrupted(place, host);
  const parts = openOnDemand(place, host);
  return {
    repo: place.root,
    ...readOnlyRuns(place, host, parts.opened),
    ...moving(place, host, parts),
    ...keeping(place, host, parts),
    [Symbol.asyncDispose]: parts.close,
  };
}

/** Everything that starts a run or advances it. */
function moving(place: RepositoryLocation, host: RunsDeps, parts: OnDemand) {
  return {
    start: (request, by) => startRun(place, host, parts, request, by),
    async submit(runId, command) {
      const { withFolder } = await import("./command-folder.ts");
      await (await parts.moving()).engine.submit(runId, withFolder(place.root, command));
    },
    loop: async (runId, options) => (await import("./loop.ts")).loopRun(runId, options, place, host, parts),
    async resolve(assignment, source) {
      const { priced, refuseUnusableAmong, resolveAssignment } = await import("../setup/index.ts");
      const resolved = await resolveAssignment(await parts.providers(), assignment, source);
      await refuseUnusableAmong(await parts.providers(), [assignment]);
      return priced(resolved, (await host.configs(place.root)).user);
    },
  } satisfies Partial<RepositoryRuns>;
}

/** Prepared first: a request that is refused leaves no trace, not even a state folder. */
async function startRun(
  place: RepositoryLocation,
  host: RunsDeps,
  { providers, moving: engineOf }: OnDemand,
  request: StartRun,
  by: Actor | undefined,
): Promise<string> {
  const { prepareRun } = await import("../setup/index.ts");
  const { root, repository } = place;
  const { allowDirectEdit } = host;
  const made = { place, configs: await host.configs(root), providers: await providers(), allowDirectEdit };
  // The engine is loaded while git is asked about the base.
  const [prepared] = await Promise.all([prepareRun(made, request, by), import("./engine.ts")]);
  const { engine, store } = await engineOf();
  const base =
    repository && prepared.mode === "implement" && request.continuesAt === undefined
      ? await (await import("./integrated-base.ts")).integratedBase(repository, store.log)
      : undefined;
  const pullRequest = request.pullRequest ? { pullRequest: (await addresses()).destinationOf(place) } : {};
  if (repository && request.pullRequest && request.toBranch === undefined) {
    const { currentBranch, refuseDefaultBranch } = await addresses();
    await refuseDefaultBranch(repository, await currentBranch(repository));
  }
  const quoted: ArtifactRef[] = [];
  for (const { name, text } of request.quoted ?? [])
    quoted.push(await store.artifacts.put(text, { kind: "evidence", mediaType: "text/markdown", summary: name }));
  const tip = request.continuesAt;
  const pinned = async () =>
    repository &&
    tip !== undefined &&
    (await import("../../workspace/checkout/worktree/index.ts")).pinTip(repository, tip);
  await pinned();
  const { runId } = await engine.create({
    ...prepared,
    ...base,
    ...pullRequest,
    ...(quoted.length > 0 ? { quoted } : {}),
  });
  // Again: the last other run on this tip may have been deleted meanwhile, with the ref.
  await pinned();
  await host.remember(root);
  return runId;
}

/** The commits of runs, the signed record, and work that is kept or taken away. */
function keeping(place: RepositoryLocation, host: RunsDeps, { opened, moving: engineOf }: OnDemand) {
  return {
    checkBranch: async (name) => (await commits()).checkBranch(place, name),
    commit: async (runId, branch) => (await commits()).commitIn(place, host, opened, runId, branch),
    requestBase: async (tip) => (await bases()).requestBase(place, host, opened, tip),
    isCommitted: async (runId) => (await commits()).isUnderHead(place, opened, runId),
    destination: async () => (await addresses()).destinationIfAny(place),
    proposal: async (runId) => (await requests()).proposalOf(place, opened, runId),
    propose: async (runId, proposal, by) =>
      (await requests()).propose({ place, host, opened, moving: engineOf }, runId, proposal, by),
    recordCi: async (runId, ci, logs, by) => (await requests()).recordCi(engineOf, runId, { ...ci, texts: logs }, by),
    verifyCommits: async (range, keys, signers) => (await commits()).verifyIn(place, host, range, { keys, signers }),
    signWithSsh: async (text, keyFile) =>
      (await import("../../workspace/evidence/index.ts")).signWithSsh(text, keyFile),
    accept: async () =>
      (await import("./verify/verify.ts")).acceptHeads(
        { ...place, evidenceDir: host.evidenceDir },
        (await opened()).store.log,
      ),
    retire: async (options) => (await archives()).retireRuns(place, host, (await opened()).store, options),
    verifyArchive: async (archive, keys) => (await archives()).verifyArchiveFile(archive, host, keys),
    drop: async (refs) => (await keeper()).dropPinnedWork(place, refs),
    async prune(tell) {
      const { describePruned, pruneLeftovers } = await import("./leftovers/prune.ts");
      const pruned = await pruneLeftovers(place, host);
      describePruned(pruned).forEach(tell);
      return pruned;
    },
    sweep: async () => (await keeper()).sweepLeftovers(place, (await opened()).store.log),
  } satisfies Partial<RepositoryRuns>;
}

/**
 * A patch that a crash left half applied in the checkout is finished or undone before the runs are looked at. When that
 * fails it is reported, and retried by the next command; reading, verifying and aborting still work.
 */
async function finishInterrupted({ repository, stateDir }: RepositoryLocation, host: RunsDeps): Promise<void> {
  const applies = join(stateDir, "apply");
  // Checked before anything is loaded for it.
  if (!repository || !existsSync(applies) || !readdirSync(applies).some((name) => !name.endsWith(".db"))) return;
  const { recoverApplies } = await import("../../workspace/checkout/apply/index.ts");
  const { diskFailure } = await import("../../core/contract/index.ts");
  try {
    await recoverApplies(repository);
  } catch (error) {
    const why = diskFailure(error)?.failure.message ?? (error instanceof Error ? error.message : String(error));
    host.warn(`The checkout is in the middle of a change that could not be finished or undone: ${why}`);
  }
}
