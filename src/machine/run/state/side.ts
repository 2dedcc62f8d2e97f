// The lane beside the loop: summons, fan-outs, reconciliation, commands and evidence that were asked for.
import type {
  Actor,
  ArtifactRef,
  CommandRecord,
  Gate,
  SideJob,
  SideOutcome,
} from "../../../contract/index.ts";
import type { At } from "./run.ts";

export interface SideTask extends At {
  readonly job: SideJob;
  readonly by: Actor;
  readonly callId: string | null;
  /** Set when the command was found risky: its class and why. */
  readonly risk: { readonly class: string; readonly why: string } | null;
  readonly allowed: boolean;
  /** The command may have been started, and it changes things. */
  readonly begun: boolean;
  readonly command: (CommandRecord & At) | null;
  readonly end:
    | ({ readonly outcome: SideOutcome; readonly why: string; readonly artifact: ArtifactRef | null } & At)
    | null;
}

export interface Group extends At {
  readonly groupId: string;
  readonly items: number;
  readonly maxItems: number;
  readonly end:
    | ({ readonly status: "completed" | "blocked" | "failed"; readonly artifact: ArtifactRef } & At)
    | null;
}

export interface Side {
  readonly tasks: readonly SideTask[];
  readonly groups: readonly Group[];
  /** The open call of the lane. */
  readonly asking: string | null;
  readonly trouble: string | null;
  readonly gate: Gate | null;
  readonly reconciled:
    | ({ readonly sideId: string; readonly artifact: ArtifactRef; readonly status: string } & At)
    | null;
}

export const emptySide: Side = {
  tasks: [],
  groups: [],
  asking: null,
  trouble: null,
  gate: null,
  reconciled: null,
};

/** The one that is being worked on: the first that has not ended. */
export function currentTask(side: Side): SideTask | undefined {
  return side.tasks.find((task) => task.end === null);
}
