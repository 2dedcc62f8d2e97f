// The only maker of state changes: the types allow exactly the successors of the present phase.
import {
  type ActiveState,
  type FailureClass,
  type RunEvent,
  type StopReason,
  plainText,
  clip,
} from "../contract/index.ts";
import { type Decision, emit } from "./decision.ts";
import type { ActivePhase, Run, Successor } from "./state/index.ts";

export function enter<P extends ActivePhase>(
  run: Run,
  phase: P,
  to: Successor<P["state"]> & Exclude<ActiveState, "implementing">,
  why: string,
): Decision {
  const pass = "pass" in phase ? phase.pass : run.passes.length - 1;
  return emit(change(phase, to, pass, why));
}

/** Implementing always opens the next pass. */
export function enterImplementing<P extends ActivePhase>(
  run: Run,
  phase: "implementing" extends Successor<P["state"]> ? P : never,
  why: string,
): Decision {
  return emit(change(phase, "implementing", run.passes.length, why));
}

function change(phase: ActivePhase, to: ActiveState, pass: number, why: string): RunEvent {
  return { type: "state_changed", from: phase.state, to, pass, why };
}

export function failRun(
  stopReason: StopReason,
  failureClass: FailureClass,
  message: string,
  remedy: string | null = null,
): Decision {
  return emit({
    type: "run_failed",
    stopReason,
    failureClass,
    message: clip(plainText(message), 2_000),
    remedy,
  });
}

export function abortRun(stopReason: StopReason, by: string, message: string): Decision {
  return emit({ type: "run_aborted", stopReason, by, message: clip(plainText(message), 2_000) });
}
