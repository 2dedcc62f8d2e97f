// The runs of one repository. Looking opens the store for reading only and loads no provider; the engine is built when a
// run is to move.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, Store } from "../contract/index.ts";
import type { Run } from "../machine/index.ts";
import type { RepositoryRuns } from "../operations/index.ts";
import { once, timers } from "../system/index.ts";
import { findOwnPlace, settleState, showState, type Place } from "../git/index.ts";
import { findRun } from "./find-run.ts";
import type { RunsHost } from "./host.ts";
import { openStoreOf } from "./store/index.ts";

const machine = () => import("../machine/index.ts");
const engine = () => import("../engine/index.ts");
const keeper = () => import("./kept.ts");

/** A store, and the runs in it as they stand. */
interface Opened {
  readonly store: Store<RunEvent>;
  read(runId: string): Promise<Run>;
}

async function openToRead(place: Place, host: RunsHost): Promise<Opened> {
  const store = await openStoreOf(place, host, { mode: "read" });
  const reader = once(async () => (await engine()).createRunReader(store.log));
  return { store, read: async (runId) => (await reader())(runId) };
}

/** Everything that changes nothing. */
function looking(place: Place, host: RunsHost, opened: () => Promise<Opened>) {
  const read = async (runId: string) => (await opened()).read(runId);
  const log = async () => (await opened()).store.log;
  return {
    find: async (id) => findRun(await log(), id),
    rows: async (query) => (await log()).list(query),
    count: async () => (await log()).count(),
    status: async (runId) => (await machine()).compactStatus(await read(runId)),
    full: async (runId) => (await machine()).fullView(await read(runId)),
    gates: async (runId) => (await machine()).openGates(await read(runId)),
    report: async (runId) => (await read(runId)).report,
    events: async (runId, from = 1) =>
      (await (await log()).read(runId, from)).map((await engine()).readEvent),
    artifact: async (runId, ref, range) =>
      (await import("./artifact.ts")).findArtifact(
        (await opened()).store.artifacts,
        await read(runId),
        ref,
        range,
      ),
    async verify(runId) {
      const { unknownIn } = await machine();
      const { verifyPlace } = await import("./verify/index.ts");
      const open = () => openStoreOf(place, host, { mode: "read", unknownIn });
      return verifyPlace({ ...place, evidenceDir: host.evidenceDir }, open, runId);
    },
    holder: async (runId) =>
      (await (await opened()).store.leases.holder(runId))?.owner ?? host.startedHere(runId),
    live: async (runId) => (await import("./live/index.ts")).readLive(place.stateDir, runId),
    idle: async (runId) => (await machine()).next(await read(runId)) === undefined,
    async *watch(runId, from, signal) {
      const { watch } = await engine();
      for await (const { stored } of watch({ log: await log(), timers }, runId, from, signal)) yield stored;
    },
    kept: async () => (await keeper()).keptWork(place),
    checks: async () => (await import("./checks/look.ts")).lookAtChecks(place, host, log),
    testChecks: async (wishes) => (await import("./checks/test.ts")).testChecks(place, host, wishes),
  } satisfies Partial<RepositoryRuns>;
}

export async function openRuns(folder: string, host: RunsHost): Promise<RepositoryRuns> {
  const place = settled(await findOwnPlace(folder));
  await finishInterrupted(place, host);
  const { root } = place;
  // Once a run moves, the writer's own store is read: one for reading may have been opened before there was any.
  const all: Promise<Opened>[] = [];
  const opened = (): Promise<Opened> => {
    if (all.length === 0) {
      const opening = openToRead(place, host);
      all.push(opening);
      // A store that could not be opened is tried anew at the next look.
      opening.catch(() => all.splice(all.indexOf(opening), 1));
    }
    return all.at(-1) as Promise<Opened>;
  };
  const providers = once(() => host.providers(root));
  const moving = once(async () => {
    const { makeStateFolder, openEngine } = await import("./engine.ts");
    const { commands, scratchFolders, evidenceDir } = host;
    const [made, secrets] = [await providers(), await host.secrets()];
    const classify = (argv: readonly string[]) => host.classify(argv, root);
    makeStateFolder(place);
    const plain = await openStoreOf(place, host, { mode: "write" });
    const store = (await host.packing?.(plain, place)) ?? plain;
    const started = openEngine({
      ...place,
      providers: made,
      secrets,
      commands,
      scratchFolders,
      classify,
      evidenceDir,
      store,
    });
    all.push(Promise.resolve({ store: started.store, read: started.engine.read }));
    return started;
  });
  const commitWork = async (runId: string) => {
    const { commitIn } = await import("./commits.ts");
    const { store, read } = await opened();
    return commitIn(place, host, { run: await read(runId), head: await store.log.head(runId) });
  };
  const commitAtEnd = async (runId: string, tell: (line: string) => void) => {
    const { tellingCommits } = await import("./commits.ts");
    await tellingCommits(runId, tell, () => commitWork(runId));
  };
  return {
    repo: root,
    ...looking(place, host, opened),
    // Prepared first: a request that is refused leaves no trace, not even a state folder.
    async start(request, by) {
      const { prepareRun } = await import("../setup/index.ts");
      const { allowDirectEdit } = host;
      const made = {
        place,
        configs: await host.configs(root),
        providers: await providers(),
        allowDirectEdit,
      };
      // The engine is loaded while git is asked about the base.
      const [prepared] = await Promise.all([prepareRun(made, request, by), import("./engine.ts")]);
      const { engine: working, store } = await moving();
      const base =
        place.repository && prepared.mode === "implement"
          ? await (await import("./integrated-base.ts")).integratedBase(place.repository, store.log)
          : undefined;
      const { runId } = await working.create({ ...prepared, ...base });
      await host.remember(root);
      return runId;
    },
    async submit(runId, command) {
      const { withFolder } = await import("./command-folder.ts");
      await (await moving()).engine.submit(runId, withFolder(root, command));
    },
    async loop(runId, { watcher, ...options }) {
      if (await host.offer?.(runId)) {
        const { watch } = await engine();
        const { store, read } = await opened();
        const follow = (from: number, signal: AbortSignal) =>
          watch({ log: store.log, timers }, runId, from, signal);
        const { followRemote } = await import("./remote.ts");
        return followRemote(runId, {
          read: () => read(runId),
          watch: follow,
          signal: options.signal,
          watcher,
        });
      }
      const { compactStatus } = await machine();
      const { engine: working, sealed } = await moving();
      const { writeLive } = await import("./live/index.ts");
      using live = writeLive({
        stateDir: place.stateDir,
        runId,
        now: () => Date.now(),
        async redact(text) {
          const { redact } = await import("../secrets/index.ts");
          return redact(text, await host.secrets()).text;
        },
        seen: (activities) => watcher?.activity?.(activities),
      });
      const { run, stop } = await working.loop(runId, {
        ...options,
        event: (stored, now) => watcher?.event?.(stored, () => compactStatus(now)),
        progress(line) {
          live.add(line);
          watcher?.progress?.(line);
        },
        activity: (news) => live.hear(news),
      });
      const branch = run.created.toBranch !== undefined && run.phase.state === "completed";
      if (stop === "terminal" && (run.created.commit === true || branch) && run.undo === null)
        await commitAtEnd(runId, (line) => watcher?.note?.(line));
      for (const trouble of await sealed()) watcher?.note?.(`· the record is not signed: ${trouble}`);
      return { runId, stop, status: compactStatus(run) };
    },
    async resolve(assignment, source) {
      const { refuseUnusableAmong, resolveAssignment } = await import("../setup/index.ts");
      const resolved = await resolveAssignment(await providers(), assignment, source);
      await refuseUnusableAmong(await providers(), [assignment]);
      return resolved;
    },
    drop: async (refs) => (await keeper()).dropKeptWork(place, refs),
    commit: async (runId) => commitWork(runId),
    signWithSsh: async (text, keyFile) => (await import("../evidence/index.ts")).signWithSsh(text, keyFile),
    async verifyCommits(range, keys, signers) {
      const { verifyIn } = await import("./commits.ts");
      return verifyIn(place, host, range, { keys, signers });
    },
    retire: async (wishes) =>
      (await import("./archive/index.ts")).retireRuns(place, host, (await opened()).store, wishes),
    verifyArchive: async (archive, keys) =>
      (await import("./archive/index.ts")).verifyArchiveFile(archive, host, keys),
    accept: async () =>
      (await import("./verify/accept.ts")).acceptHeads(
        { ...place, evidenceDir: host.evidenceDir },
        (await opened()).store.log,
      ),
    sweep: async () => (await keeper()).sweepLeftovers(place, (await opened()).store.log),
    [Symbol.asyncDispose]: async () => {
      for (const one of all.splice(0)) await (await one).store.close();
    },
  };
}

/** State that an older version kept in the checkout is moved before it is opened, where it can be moved. */
function settled(place: Place): Place {
  const { repository, root, stateDir } = place;
  if (!repository) return place;
  if (stateDir === join(root, ".thehood")) return { ...place, stateDir: settleState(repository) };
  showState(repository);
  return place;
}

/**
 * A patch that a crash left half applied in the checkout is finished or undone before the runs are looked at. When that
 * fails it is told, and tried again by the next command; it keeps nobody from looking, verifying or aborting.
 */
async function finishInterrupted({ repository, stateDir }: Place, host: RunsHost): Promise<void> {
  const applies = join(stateDir, "apply");
  // One look tells that there is nothing, before anything is loaded for it.
  if (!repository || !existsSync(applies) || !readdirSync(applies).some((name) => !name.endsWith(".db")))
    return;
  const { recoverApplies } = await import("../checkout/apply/index.ts");
  const { diskFailure } = await import("../contract/index.ts");
  try {
    await recoverApplies(repository);
  } catch (error) {
    const why =
      diskFailure(error)?.failure.message ?? (error instanceof Error ? error.message : String(error));
    host.warn(`The checkout is in the middle of a change that could not be finished or undone: ${why}`);
  }
}
