// Looking at the runs of one repository: everything that changes nothing.
import { readVersioned } from "../../core/contract/index.ts";
import type { CompactStatus, Snapshot } from "../../core/machine/view/index.ts";
import type { RepositoryRuns } from "../../operations/index.ts";
import { timers } from "../../platform/system/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";
import { findRun } from "./find-run.ts";
import type { RunsDeps } from "./deps.ts";
import type { Opened } from "./on-demand.ts";
import { openStoreOf } from "./store/open.ts";

const machine = () => import("../../core/machine/index.ts");
const engine = () => import("../engine/index.ts");

export function readOnlyRuns(place: RepositoryLocation, host: RunsDeps, opened: () => Promise<Opened>) {
  const read = async (runId: string) => (await opened()).read(runId);
  const log = async () => (await opened()).store.log;
  /** The stored status of a run at rest: with it neither events nor rules are loaded. */
  const resting = async (runId: string): Promise<CompactStatus | undefined> =>
    readVersioned<Snapshot>(host.version, await (await log()).snapshot(runId))?.status;
  return {
    find: async (id) => findRun(await log(), id),
    rows: async (query) => (await log()).list(query),
    count: async () => (await log()).count(),
    status: async (runId) => (await resting(runId)) ?? (await machine()).compactStatus(await read(runId)),
    full: async (runId) => (await machine()).fullView(await read(runId)),
    gates: async (runId) => (await machine()).openGates(await read(runId)),
    report: async (runId) => (await read(runId)).report,
    endReport: async (runId) => (await machine()).endReport(await read(runId)),
    events: async (runId, from = 1) => (await (await log()).read(runId, from)).map((await engine()).readEvent),
    artifact: async (runId, ref, range) =>
      (await import("./artifact.ts")).findArtifact((await opened()).store.artifacts, await read(runId), ref, range),
    between: async (from, to) => (await import("./pinned.ts")).diffBetween(place, from, to),
    lastKept: async (runId) => (await import("./pinned.ts")).lastKept(place, runId),
    async verify(runId) {
      const { unknownIn } = await machine();
      const { verifyRepository } = await import("./verify/verify.ts");
      const open = () => openStoreOf(place, host, { mode: "read", unknownIn });
      return verifyRepository({ ...place, evidenceDir: host.evidenceDir }, open, runId);
    },
    holder: async (runId) => (await (await opened()).store.leases.holder(runId))?.owner ?? host.startedHere(runId),
    waits: async (runIds) => (runIds.length === 0 ? undefined : await host.waits?.(runIds)) ?? new Map(),
    live: async (runId) => (await import("./progress.ts")).readLive(place.stateDir, runId),
    idle: async (runId) =>
      (await resting(runId)) !== undefined || (await machine()).next(await read(runId)) === undefined,
    async *watch(runId, from, signal) {
      const { watch } = await engine();
      for await (const { stored } of watch({ log: await log(), timers }, runId, from, signal)) yield stored;
    },
    kept: async () => (await import("./pinned.ts")).keptWork(place),
    checks: async () => (await import("./checks.ts")).lookAtChecks(place, host, log),
    testChecks: async (options) => (await import("./checks.ts")).testChecks(place, host, options),
  } satisfies Partial<RepositoryRuns>;
}
