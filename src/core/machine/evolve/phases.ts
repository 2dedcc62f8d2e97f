// State changes and ends. A log that breaks the table of successors does not fold.
import {
  type ActivePhase,
  type Phase,
  type Run,
  activePhase,
  completing,
  isEnded,
  newPass,
  successors,
} from "../state/index.ts";
import type { ActiveState, FailureClass, RunStateName, RunEventType } from "../../contract/index.ts";
import { type EvolveTable, impossible } from "./table.ts";

function fresh(to: ActiveState, pass: number): ActivePhase {
  switch (to) {
    case "created":
      return { state: to };
    case "planning":
    case "delegating":
      return { state: to, last: null, wanted: null, goOn: false };
    case "integrating":
      return { state: to, pass, blocked: null };
    case "implementing":
    case "verifying":
    case "critiquing":
      return { state: to, pass };
  }
}

function ending(run: Run): RunStateName {
  if (isEnded(run.phase)) impossible(run, `it ends twice (${run.phase.state})`);
  return run.phase.state;
}

/** Nothing of the loop is open in a run that has ended; side tasks stay. */
function end(run: Run, phase: Phase): Run {
  return { ...run, phase, asking: null, trouble: null, again: null, limited: null, switching: null, widening: null };
}

/** The class of the gate that is open, or was just refused. */
function endedAt({ phase, approvals }: Run): FailureClass | null {
  const last = approvals.at(-1);
  const refused =
    last?.gate.lane === "main" && (last.answer === "abort" || last.answer === "reject") ? last.gate : null;
  const gate = phase.state === "awaiting_approval" ? phase.gate : refused;
  return gate?.failureClass ?? null;
}

export const phases = {
  undo_requested: (run, { by }, at) => ({ ...run, undo: { state: "asked", by, ...at } }),
  work_taken_out: (run, { taken }, at) => ({ ...run, undo: { state: "done", taken, ...at } }),
  undo_blocked: (run, { message, paths }, at) => ({
    ...run,
    undo: { state: "blocked", message, paths, ...at },
  }),
  state_changed(run, event, at) {
    if (run.phase.state === "awaiting_approval" || isEnded(run.phase))
      impossible(run, `it leaves ${run.phase.state} without an answer`);
    const allowed: readonly ActiveState[] = successors[run.phase.state];
    if (run.phase.state !== event.from || !allowed.includes(event.to))
      impossible(run, `${run.phase.state} is followed by ${event.to}`);
    const next: Run = { ...run, phase: fresh(event.to, event.pass) };
    if (event.to !== "implementing") return next;
    if (event.pass !== run.passes.length) impossible(run, `pass ${event.pass} follows ${run.passes.length - 1}`);
    const revision = run.passes.at(-1)?.outcome ?? null;
    return { ...next, passes: [...run.passes, newPass(event.pass, at, revision)] };
  },
  run_completed(run, event) {
    const active = activePhase(run.phase);
    if (run.phase !== active || active === null || !completing.includes(active.state))
      impossible(run, `it completes from ${run.phase.state}`);
    return end(run, {
      state: "completed",
      stopReason: event.stopReason,
      by: event.by,
      summary: event.summary,
    });
  },
  run_failed(run, event) {
    const from = ending(run);
    const { stopReason, failureClass, message, remedy } = event;
    return end(run, { state: "failed", stopReason, failureClass, message, remedy, from });
  },
  run_aborted(run, event) {
    const from = ending(run);
    return end(run, {
      state: "aborted",
      stopReason: event.stopReason,
      failureClass: endedAt(run),
      by: event.by,
      message: event.message,
      from,
    });
  },
} satisfies Partial<EvolveTable<RunEventType>>;
