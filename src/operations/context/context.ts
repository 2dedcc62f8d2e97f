// The context of one call: the caller, the folder, how long the caller listens, and how a run is moved for this caller.
import type { Actor, GateAnswer, RunEventType, Spell } from "../../core/contract/index.ts";
import { defineFor } from "../define/index.ts";
import type { Ports } from "./ports.ts";
import type { LoopEnd, RepositoryRuns } from "./runs.ts";

/** Exactly what a gate shows, and the answers it takes. */
export interface GateQuestion {
  readonly title: string;
  /** What the decision is about, before everything that it covers: facts, doubts, the change, checks, reviews. */
  readonly brief: string;
  readonly text: string;
  readonly sha256: string;
  readonly answers: readonly string[];
  /** The words that the answer's message must contain. */
  readonly phrase: string | null;
}

export type Spoken =
  | { readonly kind: "answered"; readonly answer: string; readonly message: string }
  | { readonly kind: "declined" | "cancelled" | "no_answer"; readonly why: string };

export interface Person {
  ask(question: GateQuestion): Promise<Spoken>;
}

/** What a person names with an approval: another goal and criteria, a new branch for the work, a pull request from it. */
export interface GateDelivery {
  /** With the start of a run: instead of what it began with. */
  readonly goal?: string;
  readonly acceptanceCriteria?: readonly string[];
  readonly toBranch?: string;
  readonly pullRequest?: true;
}

export interface MoveOptions {
  /** The number of the last event before the request: everything after it is new. */
  readonly from: number;
  readonly maxCycles?: number | undefined;
  /** How long to wait for another process that advances the run. */
  readonly waitMs?: number | undefined;
  /** How long a caller that does not advance the run itself looks on. */
  readonly waitSeconds?: number | undefined;
  /** Only the side tasks; the loop does not advance. */
  readonly besideOnly?: boolean | undefined;
  /** Stop after the event of this kind: nothing further begins. */
  readonly until?: RunEventType | undefined;
  /** The caller reports what happens and asks at gates itself. */
  readonly reportedByCaller?: boolean | undefined;
}

/** `followed`: another process advances it, and the caller looked on as long as it wanted. */
export type RunStop = LoopEnd["stop"] | "created" | "recorded" | "followed";

export interface Context {
  readonly ports: Ports;
  /** The folder it is about. */
  readonly folder: string;
  /** The caller named the folder; otherwise it is the one the program was started in. */
  readonly named: boolean;
  readonly actor: Actor;
  /** Ends waiting. It never ends a run that another process advances. */
  readonly signal: AbortSignal;
  /** The command that a person types for a suggestion. */
  readonly spell: Spell;
  /** A line for the person or the program that waits. */
  tell(line: string): void;
  /** The person behind a program, where it can put a question before them. */
  readonly person?: Person | undefined;
  /** Shows the gate of a run on the person's screen and records their answer; null when they decide later. */
  showGate?(runs: RepositoryRuns, runId: string, delivery?: GateDelivery): Promise<GateAnswer | null>;
  /** Moves a run as this caller does: in this process, or in a process of its own. */
  advance(runs: RepositoryRuns, runId: string, options: MoveOptions): Promise<RunStop>;
  /** Asks at the terminal for a line that is not shown while it is typed; null when the person cancels. */
  askSecret?(question: string): Promise<string | null>;
  /** The lines of standard input, where there is one. */
  lines?(): AsyncIterable<string>;
}

/** Defines an operation of `thehood`. */
export const define = defineFor<Context>();
