// A status for a person: a run whose process is gone tells so, since its record tells only the last thing it did.
import type { Suggestion } from "../../core/contract/index.ts";
import type { CompactStatus } from "../context/index.ts";
import { withoutProcess, describeWait } from "./row.ts";
import type { RunSnapshot } from "./snapshot.ts";

/** Taking up a run that is being worked on would be refused. */
const lookingOn = <A extends { readonly command: Suggestion | null }>(runId: string, action: A): A =>
  action.command?.suggest === "continue" ? { ...action, command: { suggest: "watch", runId } } : action;

export function withProcessState<T extends CompactStatus>(
  status: T,
  { idle, working, waits }: Pick<RunSnapshot, "idle" | "working" | "waits">,
): T & { readonly working: boolean } {
  const { monitor, next, runId } = status;
  if (working) return { ...status, working, next: next.map((action) => lookingOn(runId, action)) };
  if (idle) return { ...status, working };
  if (waits)
    return {
      ...status,
      working,
      monitor: { ...monitor, doing: describeWait(waits) },
      next: [
        {
          kind: "workers" as const,
          reason: "A worker goes on with it.",
          command: { suggest: "workers" as const },
        },
      ],
    };
  const gates = next.filter(({ command }) => command?.suggest === "answer");
  return {
    ...status,
    working,
    monitor: { ...monitor, doing: `${withoutProcess} (last: ${monitor.doing})` },
    next: [
      ...gates,
      {
        kind: "continue" as const,
        reason: "Nothing is lost: it goes on where it stopped.",
        command: { suggest: "continue" as const, runId },
      },
    ],
  };
}
