// Letting a run move in a process of its own, and looking on for as long as the caller wants to wait.
import { z } from "zod";
import { FailureError } from "../../contract/index.ts";
import type { RepositoryRuns } from "../runs-port.ts";
import { fit } from "../fit.ts";
import type { Asking } from "../operation.ts";

export const waitSeconds = z
  .number()
  .min(0)
  .max(300)
  .default(0)
  .describe("Wait this long for the run to stop; it goes on afterwards either way.");

export const runId = z.string().min(1).max(64).describe("A run id, or a unique beginning of one.");

/** Under 4 kB as it travels, envelope included. */
const statusBytes = 3_700;

/** Where a run stands, with whether anybody is at work on it. */
export async function standing(desk: RepositoryRuns, id: string, more: object = {}): Promise<unknown> {
  // The status comes last: a run that comes to rest in between is then told as it rests, not as it worked.
  const idle = await desk.idle(id);
  const working = !idle && (await desk.holder(id)) !== null;
  const status = await desk.status(id);
  const hint = working
    ? "It is being worked on: call thehood_status again in a few seconds."
    : idle
      ? null
      : "Nobody is at work on it: call thehood_continue, later if other runs are being worked on.";
  return fit(
    {
      ...more,
      ...status,
      working,
      ...(hint === null ? {} : { poll: hint }),
      ...gateHint(status.gate !== null),
    },
    statusBytes,
  );
}

const gateHint = (open: boolean) =>
  open ? { decide: "A person decides this gate: show them `gate` and the command in `next`." } : {};

/**
 * Has the run advanced by a process of its own, so that no client and no server can take it along when it dies. Where
 * too many are at work already the run is none the worse: it waits, and the status says that nobody works on it.
 */
export async function move(
  asking: Asking,
  desk: RepositoryRuns,
  id: string,
  seconds: number,
  from: number,
  how: { readonly besideOnly?: boolean } = {},
): Promise<void> {
  try {
    await asking.given.detach(desk.repo, id, how);
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === "run_busy") return;
    throw error;
  }
  if (seconds > 0) await follow(asking, desk, id, seconds, from, how.besideOnly ? settledBeside : settled);
}

/** Until the run ends, stands at a gate, has nothing left to do, or the time is over. */
async function follow(
  asking: Asking,
  desk: RepositoryRuns,
  id: string,
  seconds: number,
  from: number,
  isSettled: typeof settled,
): Promise<void> {
  const limit = AbortSignal.any([asking.signal, AbortSignal.timeout(Math.ceil(seconds * 1_000))]);
  for await (const { event } of desk.watch(id, from + 1, limit)) {
    asking.say(`${event.type.replaceAll("_", " ")}: ${(await desk.status(id)).monitor.doing}`);
    if (event.type === "approval_required" || (await isSettled(desk, id))) return;
  }
}

const settled = (desk: RepositoryRuns, id: string): Promise<boolean> => desk.idle(id);

const settledBeside = async (desk: RepositoryRuns, id: string): Promise<boolean> =>
  (await desk.full(id)).sideTasks.every(({ end }) => end !== null);
