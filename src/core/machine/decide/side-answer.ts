// Answers to gates on the side, and the end of all side tasks by an abort. A refusal ends its task and the later items
// of its fan-out.
import type { Gate, RunEvent, AnswerCommand } from "../../contract/index.ts";
import { type Decision, emit } from "../decision.ts";
import { type Run, membersOf } from "../state/index.ts";
import { callOf } from "../facts/index.ts";

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

export function onSideAnswer(run: Run, gate: Gate, command: AnswerCommand): Decision {
  const passed = command.answer === "approve";
  if (gate.kind === "role_switch")
    return passed && run.switching
      ? emit({
          type: "role_assigned",
          role: run.switching.role,
          assignment: run.switching.assignment,
          by: command.by,
        })
      : emit();
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
