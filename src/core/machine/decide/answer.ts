// One answer to one gate: bound to the shown text, with the exact phrase, by an actor who may give it (R-60,
// R-61; A1).
import { type Gate, type AnswerCommand, type RunEvent, clip, extendedBy, plainText } from "../../contract/index.ts";
import { findGate, isPassing, startsWork, callOf, deliveryOf, mayDeliver, mayRequest } from "../facts/index.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import { reviewTree } from "../review/index.ts";
import { type Run, membersOf } from "../state/index.ts";
import { abortRun, failRun } from "../transition.ts";
import { type Ruling, isRefusal, refuse } from "./ruling.ts";
import { onRevise } from "./revise.ts";

/** The reason why this answer does not count, or null. The most useful reason comes first. */
function objection(run: Run, gate: Gate, command: AnswerCommand): Ruling | null {
  const { answer, by, message } = command;
  if (by.kind === "policy") return refuse("permission_denied", "A policy is not submitted; it is part of the run.");
  if (by.kind === "host" && !run.created.policy.hostMayApprove && answer !== "abort" && answer !== "reject")
    return refuse(
      "permission_denied",
      "The program that drives a run may not answer its gates.",
      "Answer it yourself in a terminal",
      ...gate.answers.map((one) => ({ suggest: "answer", answer: one }) as const),
    );
  if (answer === "remember" && by.kind !== "person")
    return refuse(
      "permission_denied",
      "Only a person allows a destination for later transfers.",
      "Approve this one transfer, or answer it yourself in a terminal.",
    );
  if (command.subjectSha256 !== gate.subject.sha256)
    return refuse(
      "conflict",
      `The text you saw is not the text of gate ${gate.id}.`,
      "Look at the gate again and answer the text that it shows now.",
    );
  if (!gate.answers.includes(answer))
    return refuse(
      "invalid_input",
      `Gate ${gate.kind} cannot be answered with ${answer}.`,
      `It takes: ${gate.answers.join(", ")}.`,
    );
  if (isPassing(answer) && gate.phrase !== null && !message.includes(gate.phrase))
    return refuse(
      "approval_required",
      `The message must contain exactly: ${gate.phrase}`,
      "Repeat it with that phrase",
      { suggest: "answer", answer, runId: run.runId, gateId: gate.id, phrase: gate.phrase },
    );
  if (answer === "revise" && message.trim() === "")
    return refuse("invalid_input", "A revision needs words: say what should be different.", "Say it in the message", {
      suggest: "answer",
      answer,
      runId: run.runId,
      gateId: gate.id,
    });
  return (
    restates(gate, command) ?? declares(gate, command) ?? delivers(run, gate, command) ?? missing(run, gate, command)
  );
}

/** Goal and criteria of a run are a person's, and settled before anything is done for them. */
function restates(gate: Gate, { goal, acceptanceCriteria, by, answer }: AnswerCommand): Ruling | null {
  if (goal === undefined && acceptanceCriteria === undefined) return null;
  if (by.kind !== "person")
    return refuse(
      "permission_denied",
      "Only a person changes the goal and the criteria of a run.",
      "Answer it yourself in a terminal.",
    );
  return answer === "approve" && startsWork(gate)
    ? null
    : refuse(
        "invalid_input",
        "Goal and criteria are named together with the start of a run.",
        "Tell the run what else must be true; you are asked before it counts.",
      );
}

/** Product files that look like tests are declared by a person, with the start of a run. */
function declares(gate: Gate, { productPaths = [], by, answer }: AnswerCommand): Ruling | null {
  if (productPaths.length === 0) return null;
  if (by.kind !== "person")
    return refuse("permission_denied", "Only a person declares files as product.", "Answer it yourself in a terminal.");
  return answer === "approve" && startsWork(gate)
    ? null
    : refuse(
        "invalid_input",
        "Files are declared as product together with the start of a run.",
        "Declare them when a run is started, or with the answer to its start.",
      );
}

/** A person who approves the result may have it on a new branch, and that branch as a pull request. */
function delivers(run: Run, gate: Gate, { toBranch, pullRequest, by, answer }: AnswerCommand): Ruling | null {
  if (toBranch === undefined && pullRequest === undefined) return null;
  if (by.kind !== "person")
    return refuse("permission_denied", "Only a person says where the work goes.", "Answer it yourself in a terminal.");
  if (answer !== "approve" || !mayDeliver(run, gate))
    return refuse(
      "invalid_input",
      "A branch is named with the approval of a result that is not in the checkout yet.",
      "Approve without it; the work can be committed on a branch after the run.",
    );
  if (pullRequest === true && !mayRequest(run, gate))
    return refuse(
      "invalid_input",
      "A pull request is approved with the result.",
      "Name the branch alone; the pull request can be asked for with the result, or after the run.",
    );
  return toBranch === undefined && deliveryOf(run).branch === undefined
    ? refuse("invalid_input", "A pull request needs a branch.", "Name the new branch too.")
    : null;
}

function missing(run: Run, gate: Gate, command: AnswerCommand): Ruling | null {
  const { answer } = command;
  if (answer === "extend") {
    const amount = extendedBy(gate.kind);
    if (amount === undefined || command[amount] === undefined)
      return refuse(
        "invalid_input",
        `Say by how much to extend the ${gate.kind.replace("_", " ")}.`,
        "Say the amount",
        { suggest: "answer", answer, runId: run.runId, gateId: gate.id },
      );
  }
  const needsRole =
    gate.kind === "verifier_unassigned" ||
    gate.kind === "role_unassigned" ||
    gate.kind === "missing_read_only_delegate_assignment";
  if (answer === "approve" && needsRole && gate.role && gate.role !== "integrator" && !run.roles[gate.role])
    return refuse("invalid_input", `No agent is assigned to ${gate.role} in this run yet.`, "Assign one", {
      suggest: "assign_role",
      role: gate.role,
      runId: run.runId,
    });
  return null;
}

function record(gate: Gate, command: AnswerCommand): Decision {
  return emit({
    type: "approval_recorded",
    approval: {
      gateId: gate.id,
      kind: gate.kind,
      answer: command.answer,
      by: command.by,
      message: clip(plainText(command.message), 4_000),
      subjectSha256: gate.subject.sha256,
      ...(command.productPaths === undefined ? {} : { productPaths: command.productPaths }),
      ...(command.goal === undefined ? {} : { goal: command.goal }),
      ...(command.acceptanceCriteria === undefined ? {} : { acceptanceCriteria: command.acceptanceCriteria }),
      ...(command.toBranch === undefined ? {} : { toBranch: command.toBranch }),
      ...(command.pullRequest === undefined ? {} : { pullRequest: command.pullRequest }),
      ...(command.signature === undefined ? {} : { signature: command.signature }),
    },
  });
}

/** The events that a passed gate causes beyond the approval itself. */
function consequence(run: Run, gate: Gate, command: AnswerCommand): Decision {
  const { by } = command;
  const message = clip(plainText(command.message), 4_000);
  const pass = run.passes.length - 1;
  const tree = run.passes[pass]?.validation?.tree ?? reviewTree(run);
  if (command.answer === "accept") return emit({ type: "work_accepted_by_user", pass, tree, by, message });
  if (command.answer === "extend")
    return emit({
      type: "budget_extended",
      by,
      addTokens: command.addTokens ?? 0,
      addMs: (command.addMinutes ?? 0) * 60_000,
      ...(command.addAnswers === undefined ? {} : { addAnswers: command.addAnswers }),
      ...(command.addUsd === undefined ? {} : { addUsd: command.addUsd }),
    });
  const waived = (gate.parts ?? [gate]).flatMap(({ kind, checkId, phrase }): RunEvent[] =>
    kind === "validation_waiver" && checkId !== undefined
      ? [
          {
            type: "validation_waived",
            pass,
            checkId,
            command: (phrase ?? "").replace(/^waive /, ""),
            tree,
            by,
            message,
          },
        ]
      : [],
  );
  if (waived.length > 0) return emit(...waived);
  const reachesRole = gate.continuation === "call_provider" || gate.continuation === "plan_again";
  if (reachesRole && gate.phrase === null && message.trim() !== "")
    return emit({
      type: "finding_recorded",
      pass,
      finding: { kind: "user_note", severity: "info", message, refs: [] },
    });
  return emit();
}

export function onAnswer(run: Run, command: AnswerCommand, at: number, deps: MachineDeps): Ruling {
  const gate = findGate(run, command.gateId);
  if (!gate) {
    const before = run.approvals.find(({ gateId }) => gateId === command.gateId);
    return before
      ? refuse(
          "conflict",
          `Gate ${command.gateId} was already answered with ${before.answer}; an approval is used once.`,
          "See the run's status",
          { suggest: "status", runId: run.runId },
        )
      : refuse("not_found", `Run ${run.runId} has no open gate ${command.gateId}.`, "See its status", {
          suggest: "status",
          runId: run.runId,
        });
  }
  const problem = objection(run, gate, command);
  if (problem) return problem;
  const recorded = record(gate, command);
  if (gate.lane === "side") return combine(recorded, onSideAnswer(run, gate, command));
  const refused = command.answer === "abort" || command.answer === "reject";
  if (refused && gate.kind === "answer_budget")
    return combine(recorded, failWithoutAnswers(run, command.message), stopSideTasks(run));
  if (refused) {
    const reason = command.answer === "abort" ? "user_abort" : "user_reject";
    return combine(
      recorded,
      abortRun(reason, command.by.kind, command.message || `${command.answer} at ${gate.kind}`),
      stopSideTasks(run),
    );
  }
  if (command.answer === "revise") {
    const revised = onRevise(run, gate, command, recorded, at, deps);
    return isRefusal(revised) ? revised : combine(recorded, revised);
  }
  return combine(recorded, consequence(run, gate, command));
}

/** The answers are used up and a person adds none: the run fails by that name (R-15). */
export function failWithoutAnswers({ limits }: Run, reason: string): Decision {
  const message = `The run has used all ${limits.responses} provider responses, and its limit was not raised.${reason === "" ? "" : ` ${reason}`}`;
  return failRun("max_iterations", "budget_exhausted", message, "Start a new run with a higher maxIterations.");
}

const end = (sideId: string, outcome: "blocked" | "stopped", why: string): RunEvent => ({
  type: "side_completed",
  sideId,
  outcome,
  why,
  artifact: null,
});

/** An abort ends every side task: a task that waits is not begun, and a call that is out is no longer waited for. */
export function stopSideTasks(run: Run): Decision {
  const open = run.side.tasks.filter((task) => task.end === null);
  return emit(
    ...open.map(({ job, callId }) =>
      end(
        job.id,
        "stopped",
        callOf(run, callId)?.posted ? "aborted; sent, outcome unknown" : "aborted before it was sent",
      ),
    ),
  );
}

/** The budget of a wider scope; its paths and criteria follow from the approval itself. */
function budgetOf({ messages, widening }: Run, { by }: AnswerCommand): Decision {
  const { addTokens, addMinutes, addAnswers, addUsd } = messages.find(({ seq }) => seq === widening?.seq)?.widens ?? {};
  const added = [addTokens, addMinutes, addAnswers, addUsd].some((amount) => amount !== undefined);
  return added
    ? emit({
        type: "budget_extended",
        by,
        addTokens: addTokens ?? 0,
        addMs: (addMinutes ?? 0) * 60_000,
        ...(addAnswers === undefined ? {} : { addAnswers }),
        ...(addUsd === undefined ? {} : { addUsd }),
      })
    : emit();
}

export function onSideAnswer(run: Run, gate: Gate, command: AnswerCommand): Decision {
  const passed = isPassing(command.answer);
  if (gate.kind === "role_switch")
    return passed && run.switching
      ? emit({
          type: "role_assigned",
          role: run.switching.role,
          assignment: run.switching.assignment,
          by: command.by,
        })
      : emit();
  if (gate.kind === "scope_change") return passed ? budgetOf(run, command) : emit();
  if (passed) return emit();
  const refused = run.side.tasks.find((task) => task.job.id === gate.sideId);
  if (!refused) return emit();
  const group = refused.job.job === "summon" ? refused.job.group?.id : undefined;
  // Calls before it are out already, and the run waits for them.
  const later = (group === undefined ? [] : membersOf(run.side, group)).filter(
    (task) => !task.end && task !== refused && !callOf(run, task.callId)?.posted,
  );
  return emit(
    end(refused.job.id, "blocked", `refused at ${gate.kind}`),
    ...later.map(({ job }) => end(job.id, "stopped", "a gate before it was refused")),
  );
}
