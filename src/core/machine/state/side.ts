// The side lane: summons, fan-outs, reconciliation, commands and evidence that were asked for. They never move the
// loop.
import type { Actor, ArtifactRef, CommandRecord, Gate, SideJob, SideOutcome } from "../../contract/index.ts";
import type { At } from "./run.ts";

export interface SideTask extends At {
  readonly job: SideJob;
  readonly by: Actor;
  readonly callId: string | null;
  /** The class of a command that was found risky, and the reason. */
  readonly risk: { readonly class: string; readonly why: string } | null;
  readonly allowed: boolean;
  /** The command may have been started, and it changes things. */
  readonly begun: boolean;
  readonly command: (CommandRecord & At) | null;
  readonly end:
    | ({ readonly outcome: SideOutcome; readonly why: string; readonly artifact: ArtifactRef | null } & At)
    | null;
}

export interface Fanout extends At {
  readonly groupId: string;
  readonly items: number;
  readonly maxItems: number;
  readonly end: ({ readonly status: "completed" | "blocked" | "failed"; readonly artifact: ArtifactRef } & At) | null;
}

export interface Side {
  readonly tasks: readonly SideTask[];
  readonly fanouts: readonly Fanout[];
  readonly gate: Gate | null;
  readonly reconciled:
    | ({ readonly sideId: string; readonly artifact: ArtifactRef; readonly status: string } & At)
    | null;
}

export const emptySide: Side = {
  tasks: [],
  fanouts: [],
  gate: null,
  reconciled: null,
};

/** The task that is being worked on: the first that has not ended. */
export function currentTask(side: Side): SideTask | undefined {
  return side.tasks.find((task) => task.end === null);
}

const groupOf = ({ job }: SideTask): string | null => (job.job === "summon" ? (job.group?.id ?? null) : null);

export function membersOf(side: Side, groupId: string): readonly SideTask[] {
  return side.tasks.filter((task) => groupOf(task) === groupId);
}

/** Tasks run one after the other. Up to `most` items of a fan-out may be under way, always the first that are left. */
export function openTasks(side: Side, most: number): readonly SideTask[] {
  const first = currentTask(side);
  if (!first) return [];
  const group = groupOf(first);
  if (group === null) return [first];
  return membersOf(side, group)
    .filter((task) => task.end === null)
    .slice(0, most);
}
