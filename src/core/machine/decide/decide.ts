// decide: state and command to events, or a refusal. The rules are followed in the same decision until none applies. A run
// that may not begin is refused before anything is written.
import type { CreateRun, Failure, RunCommand, RunEvent } from "../../contract/index.ts";
import { type NewArtifact, type Decision, type MachineDeps, combine, emit } from "../decision.ts";
import { nextStep } from "../rules/next-step.ts";
import type { Run } from "../state/index.ts";
import { evolve } from "../evolve/fold.ts";
import { currentFlags } from "../flags.ts";
import { after, type Ruling, isRefusal, refuse } from "./ruling.ts";
import { onAnswer } from "./answer.ts";
import { onBegun, onDirective, onOutcome, onPosted } from "./outcome.ts";
import {
  onRecheck,
  onAbort,
  onBoard,
  onEvidence,
  onExec,
  onFanout,
  onKeepTests,
  onOutside,
  onReconcile,
  onSummon,
  onSwitch,
  onUndo,
} from "./requests.ts";
import { onTell } from "./tell.ts";
import { roleConflict } from "../call/ask.ts";
import { firstRole } from "../facts/index.ts";

export type DecideResult =
  | {
      readonly ok: true;
      readonly events: readonly RunEvent[];
      readonly artifacts: readonly NewArtifact[];
      readonly run: Run;
    }
  | { readonly ok: false; readonly refusal: Failure };

/** Far above any real chain: rules that never come to rest are a bug and must not spin. */
const mostSteps = 200;

/** Follows the rules until none applies. */
function followRules(run: Run, at: number, deps: MachineDeps): { run: Run; output: Decision } {
  let state = run;
  let output: Decision = { events: [], artifacts: [] };
  for (let step = 0; step < mostSteps; step += 1) {
    const more = nextStep(state, deps);
    if (!more) return { run: state, output };
    output = combine(output, more);
    state = after(state, more, at);
  }
  throw new Error(`Run ${run.runId} comes to no rest in ${run.phase.state}.`);
}

function rule(run: Run, command: Exclude<RunCommand, CreateRun>, at: number, deps: MachineDeps): Ruling {
  switch (command.type) {
    case "answer":
      return onAnswer(run, command, at, deps);
    case "abort":
      return onAbort(run, command);
    case "summon":
      return onSummon(run, command);
    case "fanout":
      return onFanout(run, command);
    case "reconcile":
      return onReconcile(run, command);
    case "exec":
      return onExec(run, command);
    case "tell":
      return onTell(run, command, at, deps);
    case "capture_evidence":
      return onEvidence(run, command);
    case "recheck":
      return onRecheck(run, command, at);
    case "switch_role":
      return onSwitch(run, command, at, deps);
    case "export_board":
      return onBoard(run, deps);
    case "undo":
      return onUndo(run, command);
    case "record_request":
    case "record_ci":
      return onOutside(run, command);
    case "keep_tests":
      return onKeepTests(run, command);
    case "directive_written":
      return onDirective(run, command);
    case "call_posted":
      return onPosted(run, command);
    case "command_begun":
      return onBegun(run, command);
    case "effect_done":
      return onOutcome(run, command, at);
  }
}

function finish(run: Run, ruling: Decision, at: number, deps: MachineDeps): DecideResult {
  const more = followRules(after(run, ruling, at), at, deps);
  const all = combine(ruling, more.output);
  return { ok: true, events: all.events, artifacts: all.artifacts, run: more.run };
}

export function decide(run: Run, command: Exclude<RunCommand, CreateRun>, at: number, deps: MachineDeps): DecideResult {
  const ruling = rule(run, command, at, deps);
  return isRefusal(ruling) ? { ok: false, refusal: ruling.refusal } : finish(run, ruling, at, deps);
}

export function decideCreate(command: CreateRun, runId: string, at: number, deps: MachineDeps): DecideResult {
  const ruling = create(command, runId, deps.newRunFlags ?? currentFlags);
  if (isRefusal(ruling)) return { ok: false, refusal: ruling.refusal };
  const [first] = ruling.events;
  if (!first) throw new Error("A created run has no first event.");
  const run = evolve(undefined, { seq: 1, at, event: first });
  const more = followRules(run, at, deps);
  const all = combine(ruling, more.output);
  return { ok: true, events: all.events, artifacts: all.artifacts, run: more.run };
}

export function create(command: CreateRun, runId: string, flags: readonly number[]): Ruling {
  const { type: _, ...frozen } = command;
  const { mode, roles, baseCommit, baseTree, preferredRole } = frozen;
  if (mode === "implement" && (baseCommit === null || baseTree === null))
    return refuse(
      "not_a_repository",
      "Mode implement needs a git repository with at least one commit.",
      "Run `git init` and commit, or use mode plan, research or review, which only read.",
    );
  const conflict = roleConflict(roles);
  if (conflict)
    return refuse("invalid_input", `Roles conflict: ${conflict}.`, "Assign another provider or model to the verifier.");
  if (roles.implementer?.edits === "none" && mode === "implement")
    return refuse(
      "invalid_input",
      `${roles.implementer.assignment} cannot edit and cannot be the implementer.`,
      "Assign a provider that can edit.",
    );
  if (preferredRole && !roles[preferredRole])
    return refuse(
      "invalid_input",
      `No agent is assigned to ${preferredRole}.`,
      "Assign an agent to it, for this run or for this repository",
      { suggest: "assign_role", role: preferredRole, runId: null },
    );
  const guest = firstRole({ created: { ...frozen, type: "run_created", version: 1, runId }, roles });
  if (!roles[guest])
    return refuse(
      "invalid_input",
      `Mode ${mode} asks the ${guest} first, and no agent is assigned to it.`,
      "Assign an agent to it, for this run or for this repository",
      { suggest: "assign_role", role: guest, runId: null },
    );
  if (flags.length === 0) return emit({ type: "run_created", version: 1, runId, ...frozen });
  return emit({ type: "run_created", version: 2, runId, ...frozen, flags: [...flags] });
}
