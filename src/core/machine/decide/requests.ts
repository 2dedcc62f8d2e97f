// Commands of people beside answers to gates: abort, undo, summon, fan out, reconcile, run, recheck, switch, export.
import {
  type ArtifactRef,
  type RunEvent,
  type SideJob,
  type SummonRequest,
  type UserCommand,
  plainLine,
} from "../../contract/index.ts";
import { buildAgentBoard } from "../view/agent-board.ts";
import { conflictIn, hasWorked } from "../call/ask.ts";
import { callOf, deliveryOf, nameFor, placedWork, exhaustedBudget, latestPass, openGates } from "../facts/index.ts";
import { makeGate } from "../gate/open.ts";
import { type MachineDeps, emit, jsonArtifact, combine } from "../decision.ts";
import { type Run, currentTask, isEnded, activePhase } from "../state/index.ts";
import { abortRun, enter } from "../transition.ts";
import { after, type Refusal, type Ruling, refuse } from "./ruling.ts";
import { failWithoutAnswers, stopSideTasks } from "./answer.ts";

type Request<T extends UserCommand["type"]> = Extract<UserCommand, { type: T }>;

const sideName = (run: Run, offset: number): string =>
  nameFor({ ...run, counters: { ...run.counters, side: run.counters.side + offset } }, "side");

export function onAbort(run: Run, command: Request<"abort">): Ruling {
  if (isEnded(run.phase))
    return currentTask(run.side)
      ? stopSideTasks(run)
      : refuse("illegal_transition", `Run ${run.runId} is ${run.phase.state}; that is final.`, "See what came of it", {
          suggest: "show",
          runId: run.runId,
        });
  const isOutOfAnswers = openGates(run).some(({ kind, lane }) => kind === "answer_budget" && lane === "main");
  const ended = isOutOfAnswers
    ? failWithoutAnswers(run, command.reason)
    : abortRun("user_abort", command.by.kind, command.reason || "aborted by the user");
  return combine(ended, stopSideTasks(run));
}

/** Only a person takes work out again, and only of a run that puts nothing more into the checkout. */
export function onUndo(run: Run, { by }: Request<"undo">): Ruling {
  const { runId, undo } = run;
  if (by.kind !== "person")
    return refuse("permission_denied", "Only a person takes the work of a run out again.", "Do it yourself", {
      suggest: "undo",
      runId,
    });
  if (!isEnded(run.phase))
    return refuse("illegal_transition", `Run ${runId} is not over.`, "End it first", {
      suggest: "abort",
      runId,
    });
  if (undo?.state === "done")
    return refuse(
      "conflict",
      `The work of run ${runId} was taken out already.`,
      undo.taken.keptRef === null ? "There is nothing to do." : `It is kept: git diff HEAD ${undo.taken.keptRef}`,
    );
  if (!placedWork(run))
    return refuse(
      "illegal_transition",
      `Run ${runId} put nothing into the checkout, so there is nothing to take out.`,
      "See what came of it",
      { suggest: "show", runId },
    );
  // A request that a crash left open is carried out, not recorded twice.
  return undo?.state === "asked" ? emit() : emit({ type: "undo_requested", by });
}

/** Blind tests are never part of the work. A person may have them as files of their own, beside it. */
export function onKeepTests(run: Run, { by }: Request<"keep_tests">): Ruling {
  const { runId, keepTests, phase } = run;
  const files = run.passes.findLast(({ blindTests }) => blindTests)?.blindTests?.files ?? [];
  if (by.kind !== "person")
    return refuse("permission_denied", "Only a person puts tests into the checkout.", "Do it yourself in a terminal.");
  if (files.length === 0)
    return refuse("illegal_transition", `Run ${runId} has no blind tests.`, "Start a careful run to have some.");
  if (deliveryOf(run).branch !== undefined || (isEnded(phase) && (phase.state !== "completed" || !placedWork(run))))
    return refuse(
      "illegal_transition",
      `The work of run ${runId} is not in this checkout, so its blind tests are not written into it.`,
      "Read them in the report of the run",
      { suggest: "show", runId },
    );
  // A request that a crash left open is carried out, not recorded twice.
  return keepTests ? emit() : emit({ type: "blind_tests_wanted", by });
}

/** What happened to the committed work outside. The same news twice is one event. */
export function onOutside(run: Run, command: Request<"record_request"> | Request<"record_ci">): Ruling {
  const { runId, phase, request, ci } = run;
  if (command.by.kind === "host")
    return refuse(
      "permission_denied",
      "A program does not say what happened to a pull request.",
      "Open it, or look at its checks, yourself in a terminal.",
    );
  if (phase.state !== "completed")
    return refuse(
      "illegal_transition",
      `Run ${runId} is not completed, so nothing of it is outside.`,
      "See its status",
      {
        suggest: "status",
        runId,
      },
    );
  if (command.type === "record_request") {
    const { commit, url } = command.request;
    return request?.commit === commit && request.url === url
      ? emit()
      : emit({ type: "request_opened", request: command.request, by: command.by });
  }
  const { commit, state, checks } = command.ci;
  const known = ci?.commit === commit && ci.state === state && JSON.stringify(ci.checks) === JSON.stringify(checks);
  return known ? emit() : emit({ type: "ci_recorded", ci: command.ci, by: command.by });
}

function summonProblem(run: Run, request: SummonRequest): Refusal | null {
  const agent = request.agent ?? run.roles[request.role];
  if (!agent)
    return refuse(
      "invalid_input",
      `No agent is assigned to ${request.role}.`,
      "Name an agent for this call, as provider:model.",
    );
  const isWorker = agent.identity === run.roles.implementer?.identity || hasWorked(run, agent);
  if (request.role === "verifier" && isWorker)
    return refuse(
      "invalid_input",
      `${agent.assignment} is this run's implementer and cannot verify it.`,
      "Name another agent.",
    );
  const unknown = request.evidenceRefs.find((wanted) => !run.artifacts.some(({ ref }) => ref === wanted));
  if (unknown !== undefined)
    return refuse("invalid_input", `${plainLine(unknown, 100)} is not an artifact of run ${run.runId}.`, "List them", {
      suggest: "show",
      runId: run.runId,
    });
  const used = exhaustedBudget(run);
  if (used)
    return refuse(
      "approval_required",
      `The run's ${used} budget is used up.`,
      "Extend it at its gate, or start a new run.",
    );
  return null;
}

export function onSummon(run: Run, { request, by }: Request<"summon">): Ruling {
  const problem = summonProblem(run, request);
  if (problem) return problem;
  return emit({
    type: "side_requested",
    job: { job: "summon", id: nameFor(run, "side"), request, group: null },
    by,
  });
}

export function onFanout(run: Run, { items, by }: Request<"fanout">): Ruling {
  const { fanoutMaxItems } = run.created.policy;
  if (items.length > fanoutMaxItems)
    return refuse(
      "invalid_input",
      `A fan-out takes at most ${fanoutMaxItems} items; ${items.length} were given.`,
      "Ask fewer, or in two fan-outs.",
    );
  for (const request of items) {
    const problem = summonProblem(run, request);
    if (problem) return problem;
  }
  const groupId = nameFor(run, "side");
  const jobs = items.map((request, index): RunEvent => {
    const job: SideJob = {
      job: "summon",
      id: sideName(run, index + 1),
      request,
      group: { id: groupId, index },
    };
    return { type: "side_requested", job, by };
  });
  return emit({ type: "fanout_requested", groupId, items: items.length, maxItems: fanoutMaxItems, by }, ...jobs);
}

export function onReconcile(run: Run, command: Request<"reconcile">): Ruling {
  if (run.phase.state !== "completed" || !run.packet)
    return refuse(
      "illegal_transition",
      `Only a completed run is reconciled; ${run.runId} is ${run.phase.state}.`,
      "See its status",
      { suggest: "status", runId: run.runId },
    );
  const role = command.role ?? (run.roles.planner ? "planner" : "orchestrator");
  if (!run.roles[role])
    return refuse(
      "invalid_input",
      `No agent is assigned to ${role} in this run.`,
      "Ask the other role: planner or orchestrator.",
    );
  return emit({
    type: "side_requested",
    job: { job: "reconcile", id: nameFor(run, "side"), role },
    by: command.by,
  });
}

export function onExec(run: Run, { argv, cwd, allowRisky, by }: Request<"exec">): Ruling {
  if (allowRisky && by.kind === "host" && !run.created.policy.hostMayApprove)
    return refuse(
      "permission_denied",
      "The program that drives a run may not allow a risky command.",
      "Run it yourself, and allow it as risky.",
    );
  return emit({
    type: "side_requested",
    job: { job: "exec", id: nameFor(run, "side"), argv, cwd, allowRisky },
    by,
  });
}

export function onEvidence(run: Run, { by }: Request<"capture_evidence">): Ruling {
  return emit({ type: "side_requested", job: { job: "evidence", id: nameFor(run, "side") }, by });
}

/**
 * A new orchestrator or verifier needs its own gate. A change of another role needs one only when a program asks for it
 * (R-60).
 */
export function onSwitch(run: Run, command: Request<"switch_role">, at: number, deps: MachineDeps): Ruling {
  const { role, assignment, by } = command;
  if (isEnded(run.phase))
    return refuse(
      "illegal_transition",
      `Run ${run.runId} is ${run.phase.state}; its roles are final.`,
      "Assign the role for this repository instead",
      { suggest: "assign_role", role, runId: null },
    );
  if (run.switching)
    return refuse("conflict", `A switch of the ${run.switching.role} is still open.`, "Answer its gate first.");
  if (callOf(run, run.asking)?.record.role === role)
    return refuse("conflict", `The ${role} is being called right now.`, "Wait for its answer, or abort.");
  const conflict = conflictIn(run, { ...run.roles, [role]: assignment });
  if (conflict) return refuse("invalid_input", `Roles conflict: ${conflict}.`, "Choose another agent.");
  if (role === "implementer" && assignment.edits === "none")
    return refuse(
      "invalid_input",
      `${assignment.assignment} cannot edit and cannot be the implementer.`,
      "See who can",
      { suggest: "models" },
    );
  const steers = role === "orchestrator" || role === "verifier";
  if (!steers && by.kind === "person") return emit({ type: "role_assigned", role, assignment, by });
  const requested = emit({ type: "role_switch_requested", role, assignment, by });
  const gate = makeGate(after(run, requested, at), deps, {
    kind: "role_switch",
    lane: "side",
    phrase: `switch ${role} to ${assignment.assignment}`,
    shown: [
      `role: ${role}`,
      `from: ${run.roles[role]?.assignment ?? "no agent"}`,
      `to: ${assignment.assignment}, answering as ${assignment.identity} (${assignment.boundary})`,
    ],
    about: { role, assignment: assignment.assignment },
  });
  return combine(requested, emit({ type: "approval_required", gate }));
}

export function onBoard(run: Run, deps: MachineDeps): Ruling {
  const artifact = jsonArtifact(deps, "agent_board", buildAgentBoard(run), `agent board of ${run.runId}`);
  const ref: ArtifactRef = artifact.ref;
  return { events: [{ type: "agent_board_written", artifact: ref }], artifacts: [artifact] };
}

/** Only work that was judged and waits at a gate. An answer that was given before stays on record and is not undone. */
export function onRecheck(run: Run, { by }: Extract<UserCommand, { type: "recheck" }>, at: number): Ruling {
  const pass = latestPass(run);
  const back = run.phase.state === "awaiting_approval" ? activePhase(run.phase) : null;
  const judged = pass.validation !== null && pass.integration === null;
  if (!judged || (back?.state !== "verifying" && back?.state !== "integrating"))
    return refuse(
      "illegal_transition",
      `The checks of ${run.runId} cannot be run again now: it has no judged work that waits for you.`,
      "See its status",
      { suggest: "status", runId: run.runId },
    );
  const asked = emit({ type: "checks_asked_again", pass: pass.number, by });
  if (back.state === "verifying") return asked;
  return combine(asked, enter(after(run, asked, at), back, "verifying", "the checks are run again"));
}
