// The phase of a run. Each phase holds only the facts that it needs; the table says which phase may follow which.
import type { FailureClass, Gate, Role, RunStateName, StopReason, WorkInTheWay } from "../../contract/index.ts";

/** Files that a decider asked to see, until they are captured. */
export interface WantedFiles {
  readonly callId: string;
  readonly role: Role;
  readonly paths: readonly string[];
}

/** A phase that asks deciders: the last accepted response that has not been acted on, and the files it asked to see. */
interface Deciding {
  readonly last: string | null;
  readonly wanted: WantedFiles | null;
  /** A person said to go on although the decision names no evidence. */
  readonly goOn: boolean;
}

export type Created = { readonly state: "created" };
export type Planning = { readonly state: "planning" } & Deciding;
export type Delegating = { readonly state: "delegating" } & Deciding;
export type Implementing = { readonly state: "implementing"; readonly pass: number };
export type Integrating = {
  readonly state: "integrating";
  readonly pass: number;
  readonly blocked: {
    readonly reason: "dirty_checkout" | "head_moved" | "failed";
    readonly message: string;
    readonly paths: readonly string[];
    readonly ofRuns?: readonly WorkInTheWay[];
  } | null;
};
export type Verifying = { readonly state: "verifying"; readonly pass: number };
export type Critiquing = { readonly state: "critiquing"; readonly pass: number };

export type ActivePhase = Created | Planning | Delegating | Implementing | Integrating | Verifying | Critiquing;

/** A run at a gate keeps the phase that the gate interrupted: an answer leads back to it, or onward from it. */
export type Awaiting = {
  readonly state: "awaiting_approval";
  readonly gate: Gate;
  readonly back: ActivePhase;
};

export type Ended =
  | {
      readonly state: "completed";
      readonly stopReason: StopReason;
      readonly by: string;
      readonly summary: string;
    }
  | {
      readonly state: "failed";
      readonly stopReason: StopReason;
      readonly failureClass: FailureClass;
      readonly message: string;
      readonly remedy: string | null;
      readonly from: RunStateName;
    }
  | {
      readonly state: "aborted";
      readonly stopReason: StopReason;
      /** The class of the gate where a person ended it; null where none was open. */
      readonly failureClass: FailureClass | null;
      readonly by: string;
      readonly message: string;
      readonly from: RunStateName;
    };

export type Phase = ActivePhase | Awaiting | Ended;

/** `failed` and `aborted` follow every state that is not terminal and need no row. */
export const successors = {
  created: ["planning"],
  planning: ["planning", "delegating", "implementing", "verifying"],
  delegating: ["planning", "implementing", "verifying"],
  implementing: ["implementing", "integrating", "verifying"],
  integrating: ["implementing", "verifying"],
  verifying: ["implementing", "critiquing", "integrating"],
  critiquing: ["verifying", "implementing"],
} as const satisfies Record<ActivePhase["state"], readonly ActivePhase["state"][]>;

type State = ActivePhase["state"];
type Predecessor<T extends State> = {
  [S in State]: T extends (typeof successors)[S][number] ? S : never;
}[State];

/** For a phase that may be one of several: only the states that may follow each of them. */
export type Successor<S extends State> = { [T in State]: [S] extends [Predecessor<T>] ? T : never }[State];

/** States from which a run may complete. */
export const completing: readonly ActivePhase["state"][] = ["planning", "verifying", "integrating"];

export function isEnded(phase: Phase): phase is Ended {
  return phase.state === "completed" || phase.state === "failed" || phase.state === "aborted";
}

/** The phase that is being worked on, also while a gate holds it. */
export function activePhase(phase: Phase): ActivePhase | null {
  if (phase.state === "awaiting_approval") return phase.back;
  return isEnded(phase) ? null : phase;
}

export function passOf(phase: Phase): number {
  const active = activePhase(phase);
  return active !== null && "pass" in active ? active.pass : 0;
}
