// Advances a run in this process. A run of the fleet is only followed here.
import { watch } from "../engine/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";
import { type Run, compactStatus, deliveryOf, mayPush, isEnded, openGates } from "../../core/machine/index.ts";
import type { LoopEnd, LoopOptions, Watcher } from "../../operations/index.ts";
import { timers } from "../../platform/system/index.ts";
import type { RunsDeps } from "./deps.ts";
import { noticeBox } from "./notices.ts";
import { type Live, writeLive } from "./progress.ts";
import type { OnDemand, Opened } from "./on-demand.ts";
import { FailureError, systemCode, type RunEvent, type StoredEvent } from "../../core/contract/index.ts";

export async function loopRun(
  runId: string,
  options: LoopOptions,
  place: RepositoryLocation,
  host: RunsDeps,
  { opened, moving }: OnDemand,
): Promise<LoopEnd> {
  if (await host.offer?.(runId)) return follow(runId, options, await opened());
  const { watcher, ...limits } = options;
  const { engine, sealed } = await moving();
  using live = openLive(runId, watcher, place, host);
  const notices = noticeBox(
    (notice) => host.notify(notice, place.root),
    (line) => watcher?.note?.(line),
  );
  const { run, stop } = await engine.loop(runId, {
    ...limits,
    event(stored, now) {
      notices.event(stored, now);
      watcher?.event?.(stored, () => compactStatus(now));
    },
    progress(line) {
      live.add(line);
      watcher?.progress?.(line);
    },
    activity: (news) => live.report(news),
  });
  if (stop === "terminal") await deliver(run, { place, host, opened, moving }, (line) => watcher?.note?.(line));
  for (const trouble of await sealed()) watcher?.note?.(`· the record is not signed: ${trouble}`);
  await notices.settled();
  if (stop === "terminal") await cleanAfterwards(run, place, host, (line) => watcher?.note?.(line));
  return { runId, stop, status: compactStatus(run) };
}

/** The commit of a completed run, and its pull request where a person asked for one at the gate. */
async function deliver(
  run: Run,
  where: { readonly place: RepositoryLocation; readonly host: RunsDeps } & Pick<OnDemand, "opened" | "moving">,
  tell: (line: string) => void,
): Promise<void> {
  const { place, host, opened } = where;
  const { runId, phase, created, undo, request } = run;
  const { branch, pullRequest } = deliveryOf(run);
  const commits = created.commit === true || (branch !== undefined && phase.state === "completed");
  if (!commits || undo !== null) return;
  const { commitIn, committedEarlier, reportCommit } = await import("./commits.ts");
  const made = await reportCommit(runId, tell, {
    earlier: () => committedEarlier(place, opened, runId),
    make: () => commitIn(place, host, opened, runId),
  });
  // A request that a person closed since is not opened again.
  if (!pullRequest || request !== null || phase.state !== "completed") return;
  if (!made && !(await committedEarlier(place, opened, runId))) return;
  if (!mayPush(run)) return tell(`· not pushed: no person approved the result. Push it: thehood pr ${runId} --yes`);
  const { reportRequest } = await import("./pull-request.ts");
  await reportRequest(runId, tell, where);
}

/** Trouble with it is reported and does not change how the run ended. */
async function cleanAfterwards(
  { runId, created }: Run,
  place: RepositoryLocation,
  host: RunsDeps,
  note: (line: string) => void,
): Promise<void> {
  const { describePruned, pruneWhenDue } = await import("./leftovers/prune.ts");
  const { settleBase } = await import("../../workspace/checkout/worktree/index.ts");
  try {
    if (place.repository && created.baseCommit !== null) await settleBase(place.repository, runId, created.baseCommit);
    for (const line of describePruned(await pruneWhenDue(place, host))) note(`· ${line}`);
  } catch (error) {
    if (!(error instanceof FailureError) && systemCode(error) === undefined) throw error;
    note(`· leftovers of earlier runs could not be removed: ${(error as Error).message}`);
  }
}

async function follow(runId: string, { signal, watcher }: LoopOptions, { store, read }: Opened): Promise<LoopEnd> {
  return followRemote(runId, {
    read: () => read(runId),
    watch: (from, until) => watch({ log: store.log, timers }, runId, from, until),
    signal,
    watcher,
  });
}

function openLive(
  runId: string,
  watcher: LoopOptions["watcher"],
  { stateDir }: RepositoryLocation,
  host: RunsDeps,
): Live {
  return writeLive({
    stateDir,
    runId,
    now: () => Date.now(),
    async redact(text) {
      const { redact } = await import("../../core/secrets/index.ts");
      return redact(text, await host.secrets()).text;
    },
    seen: (activities) => watcher?.activity?.(activities),
  });
}

interface Watched {
  readonly stored: StoredEvent<RunEvent>;
  readonly run: Run;
}

interface FollowedRun {
  /** The run now, and what follows. */
  read(): Promise<Run>;
  watch(from: number, signal: AbortSignal): AsyncIterable<Watched>;
  readonly signal: AbortSignal;
  readonly watcher: Watcher | undefined;
}

async function followRemote(runId: string, { read, watch, signal, watcher }: FollowedRun): Promise<LoopEnd> {
  let run = await read();
  const isAtRest = (): boolean => isEnded(run.phase) || openGates(run).length > 0;
  if (!isAtRest())
    for await (const seen of watch(run.seq + 1, signal)) {
      run = seen.run;
      watcher?.event?.(seen.stored, () => compactStatus(seen.run));
      if (isAtRest()) break;
    }
  const ended = isEnded(run.phase);
  const stop = ended ? "terminal" : openGates(run).length > 0 ? "approval_required" : "no_progress";
  return { runId, stop: signal.aborted && !ended ? "interrupted" : stop, status: compactStatus(run) };
}
