// The rules of the side lane: each side task runs to its own end, and never touches the loop.
import { type AskedRole, type ResolvedAssignment, type SideOutcome, plainLine } from "../../contract/index.ts";
import { makeCallRecord } from "../call/ask.ts";
import { holdCall } from "../call/open-call.ts";
import {
  type Accepted,
  acceptedOf,
  callOf,
  commandLine,
  fanoutParallel,
  openSideTasks,
  exhaustedBudget,
} from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit, jsonArtifact } from "../decision.ts";
import { type AgentCall, type Fanout, type Run, type SideTask, membersOf } from "../state/index.ts";

function done(task: SideTask, outcome: SideOutcome, why: string, run: Run): Decision {
  const artifact = acceptedOf(run, task.callId)?.response ?? task.command?.stdout ?? null;
  return emit({ type: "side_completed", sideId: task.job.id, outcome, why: plainLine(why), artifact });
}

function begin(run: Run, task: SideTask): Decision {
  const { job } = task;
  if (job.job === "exec" || job.job === "evidence") throw new Error("A command is not a call.");
  const role: AskedRole = job.job === "summon" ? job.request.role : job.role;
  const agent: ResolvedAssignment | undefined = (job.job === "summon" ? job.request.agent : null) ?? run.roles[role];
  if (!agent) return done(task, "blocked", `No agent is assigned to ${role}.`, run);
  const reconcile = job.job === "reconcile";
  const call = makeCallRecord(run, { role, phase: reconcile ? "reconcile" : "summon" }, agent, {
    lane: "side",
    purpose: reconcile ? "reconcile" : "summon",
    sideId: job.id,
    ...(reconcile ? { contract: "reconciliation_result" as const } : {}),
  });
  return emit({
    type: "agent_asked",
    call,
    why: reconcile ? "reconciliation was asked for" : `summoned: ${job.job === "summon" ? job.request.kind : ""}`,
  });
}

/** A call on the side without a usable response ends its task. The call is not repeated. */
function concluded(run: Run, task: SideTask, { outcome }: NonNullable<AgentCall["result"]>): Decision {
  switch (outcome.result) {
    case "accepted":
      if (outcome.status === "ok") return answered(run, task, outcome);
      return done(task, outcome.status === "blocked" ? "blocked" : "failed", outcome.summary, run);
    case "refused":
      return done(task, "failed", `The answer was refused (${outcome.reason}).`, run);
    case "in_doubt":
      return done(task, "failed", `Sent, outcome unknown: ${outcome.why}`, run);
    case "failed":
    case "not_sent":
      return done(task, "failed", outcome.why, run);
  }
}

function answered(run: Run, task: SideTask, accepted: Accepted): Decision {
  const end = done(task, "completed", accepted.summary, run);
  if (task.job.job !== "reconcile" || accepted.brief?.contract !== "reconciliation_result") return end;
  const { status } = accepted.brief;
  const result = emit({
    type: "reconciliation_completed",
    sideId: task.job.id,
    artifact: accepted.response,
    status,
  });
  return { events: [...result.events, ...end.events], artifacts: [] };
}

function commandTask(run: Run, task: SideTask, deps: MachineDeps): Decision | null {
  const { job } = task;
  if (job.job !== "exec") return null;
  if (task.command)
    return done(
      task,
      task.command.exitCode === 0 ? "completed" : "failed",
      task.command.exitCode === null ? task.command.ended.replaceAll("_", " ") : `exit ${task.command.exitCode}`,
      run,
    );
  const spent = job.requestedBy && !task.allowed ? spentUp(run) : null;
  if (spent) return done(task, "blocked", `It was not run: ${spent}.`, run);
  if (!task.risk || task.allowed || job.allowRisky) return null;
  return openGate(run, deps, {
    kind: "risky_command",
    lane: "side",
    phrase: `run ${task.risk.class} command`,
    shown: [
      ...(job.requestedBy
        ? [`The verifier asks for this command: ${job.argv.at(-1)}`, "in: a copy of the work"]
        : [`command: ${commandLine(job.argv)}`, `in: ${job.cwd === "" ? "the repository" : job.cwd}`]),
      `class: ${task.risk.class}: ${task.risk.why}`,
    ],
    about: {
      sideId: job.id,
      cause: task.risk.class,
      ...(job.requestedBy ? { role: "verifier" as const } : {}),
    },
  });
}

function itemOf(run: Run, task: SideTask) {
  const { job, end } = task;
  if (job.job !== "summon") return null;
  const call = callOf(run, task.callId);
  return {
    index: job.group?.index ?? 0,
    role: job.request.role,
    summonKind: job.request.kind,
    brief: plainLine(job.request.brief, 500),
    status: end?.outcome ?? "pending",
    stopReason: end?.why ?? null,
    assignment: call?.record.assignment.assignment ?? null,
    directiveArtifact: call?.directive?.directive.ref ?? null,
    responseArtifact: end?.artifact?.ref ?? null,
  };
}

function closeFanout(run: Run, group: Fanout, tasks: readonly SideTask[], deps: MachineDeps): Decision {
  const outcomes = tasks.map((task) => task.end?.outcome);
  const blocked = outcomes.some((outcome) => outcome === "blocked" || outcome === "stopped");
  const status = blocked ? "blocked" : outcomes.includes("failed") ? "failed" : "completed";
  const content = {
    schemaVersion: 1,
    kind: "fanout",
    runId: run.runId,
    groupId: group.groupId,
    status,
    bounds: {
      requestedItems: group.items,
      maxItems: group.maxItems,
      hardMaxItems: 8,
      executedItems: outcomes.filter((outcome) => outcome !== "stopped").length,
      execution: fanoutParallel(run) > 1 ? "parallel" : "sequential",
      maxParallel: fanoutParallel(run),
    },
    safety: { sidecarOnly: true, readOnlyRolesOnly: true, canSatisfyRequiredGates: false },
    items: tasks.map((task) => itemOf(run, task)),
  };
  const artifact = jsonArtifact(deps, "fanout", content, `fan-out of ${group.items}: ${status}`);
  return {
    events: [{ type: "agent_fanout_completed", groupId: group.groupId, status, artifact: artifact.ref }],
    artifacts: [artifact],
  };
}

function finishedFanout(run: Run, deps: MachineDeps): Decision | null {
  for (const group of run.side.fanouts) {
    const members = membersOf(run.side, group.groupId);
    if (!group.end && members.length > 0 && members.every((task) => task.end))
      return closeFanout(run, group, members, deps);
  }
  return null;
}

/** The budget of the run bounds its side tasks too; a call that is out already is waited for. */
function spentUp(run: Run): string | null {
  const used = exhaustedBudget(run);
  return used === null ? null : `the run's ${used === "token" ? "tokens are" : "time is"} used up`;
}

export function onSide(run: Run, deps: MachineDeps): Decision | null {
  const finished = finishedFanout(run, deps);
  if (finished) return finished;
  const open = openSideTasks(run);
  for (const { task, call } of open) if (call?.result) return concluded(run, task, call.result);
  const front = run.side.gate ? undefined : open.find(({ call }) => !call?.posted);
  if (!front) return null;
  const { task, call } = front;
  if (call) return holdCall(run, call, deps);
  if (task.job.job === "exec") return commandTask(run, task, deps);
  if (task.job.job === "evidence") return null;
  const spent = spentUp(run);
  return spent ? done(task, "blocked", `No agent was asked: ${spent}.`, run) : begin(run, task);
}
