// Whether anybody is at work on a run. Its record tells what it was doing last, which is old once its process is gone.
import type { Suggestion } from "../../contract/index.ts";
import type { CompactStatus } from "../../machine/view/index.ts";
import type { RepositoryRuns } from "../runs-port.ts";
import { nobodyAtWork } from "./row.ts";

/** Something is due and nobody does it. */
export const isUnattended = async (desk: RepositoryRuns, runId: string): Promise<boolean> =>
  !(await desk.idle(runId)) && (await desk.holder(runId)) === null;

/** Taking up what is being worked on would be refused. */
const lookingOn = <A extends { readonly command: Suggestion | null }>(runId: string, action: A): A =>
  action.command?.suggest === "continue" ? { ...action, command: { suggest: "watch", runId } } : action;

/** A status that tells so, with the command that takes the run up again. */
export async function attended<T extends CompactStatus>(
  desk: RepositoryRuns,
  runId: string,
  read: () => Promise<T>,
): Promise<T & { working: boolean }> {
  // The status comes last: a run that comes to rest in between is then told as it rests.
  const idle = await desk.idle(runId);
  const working = !idle && (await desk.holder(runId)) !== null;
  const unattended = !working && (await isUnattended(desk, runId));
  const status = await read();
  const { monitor, next } = status;
  if (working) return { ...status, working, next: next.map((action) => lookingOn(runId, action)) };
  if (!unattended) return { ...status, working };
  const gates = next.filter(({ command }) => command?.suggest === "answer");
  return {
    ...status,
    working,
    monitor: { ...monitor, doing: `${nobodyAtWork} (last: ${monitor.doing})` },
    next: [
      ...gates,
      {
        kind: "continue" as const,
        reason: "Nothing is lost: it goes on where it stands.",
        command: { suggest: "continue" as const, runId },
      },
    ],
  };
}
