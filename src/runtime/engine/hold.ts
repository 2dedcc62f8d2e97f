// Holding a run: one process advances it. The lease is renewed while it works, and a process that loses it stops.
import { FailureError, type Lease, type LeaseOwner, fail, passedOn } from "../../core/contract/index.ts";
import type { EnginePorts } from "./ports.ts";

const ttlMs = 15_000;
const beatMs = 1_000;

export interface LeasedRun {
  readonly token: number;
  /** Another process has taken the run over. */
  readonly lost: boolean;
  /** Called after every beat. */
  onBeat: () => void;
  /** Called with a bug that was met at a beat. */
  onFault: (error: unknown) => void;
  release(): Promise<void>;
}

/** The identity of a host is longer than its name; people see the name. */
const name = ({ pid, host }: LeaseOwner): string => `process ${pid} on ${host.split(" ")[0] ?? host}`;

async function acquire(
  ports: EnginePorts,
  runId: string,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<Lease> {
  const until = passedOn(ports.clock) + waitMs;
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    const result = await ports.leases.acquire(runId, ports.owner, ttlMs);
    if (result.ok) return result.lease;
    if (signal?.aborted)
      return fail("interrupted", `Stopped while waiting for run ${runId}.`, {
        remedy: `Nothing was changed. Look at it: thehood status ${runId}`,
      });
    if (passedOn(ports.clock) >= until)
      return fail("run_busy", `Run ${runId} is being advanced by ${name(result.holder.owner)}.`, {
        remedy: `Wait for it (thehood continue ${runId} --wait 600), look on (thehood watch ${runId}), or abort it.`,
      });
    await ports.timers.sleep(pause, signal);
  }
}

/** A disk that cannot be written does not end a lease: a living owner keeps it, and the next append fails with the reason. */
async function renewed(ports: EnginePorts, runId: string, token: number): Promise<boolean> {
  try {
    return await ports.leases.renew(runId, token, ttlMs);
  } catch (error) {
    if (error instanceof FailureError) return true;
    throw error;
  }
}

export async function hold(
  ports: EnginePorts,
  runId: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<LeasedRun> {
  const lease = await acquire(ports, runId, waitMs, signal);
  let ours = true;
  /** The beat that is not over yet. A slow store skips beats, so that no two overlap. */
  let beating: Promise<void> | undefined;
  const held: LeasedRun = {
    token: lease.token,
    get lost() {
      return !ours;
    },
    onBeat: () => undefined,
    onFault: (error) => {
      throw error;
    },
    async release() {
      stopBeats();
      await beating;
      if (ours) await ports.leases.release(runId, lease.token);
    },
  };
  const beat = async (): Promise<void> => {
    try {
      ours = ours && (await renewed(ports, runId, lease.token));
      held.onBeat();
    } catch (error) {
      held.onFault(error);
    }
  };
  const stopBeats = ports.timers.every(beatMs, () => {
    beating ??= beat().finally(() => (beating = undefined));
  });
  return held;
}
