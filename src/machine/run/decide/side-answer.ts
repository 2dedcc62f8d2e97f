// Answers to gates beside the loop. A refusal ends the job, and with it the later items of its group.
import type { Gate, RunEvent, UserCommand } from "../../../contract/index.ts";
import { type Output, emit } from "../output.ts";
import type { Run } from "../state/index.ts";

type Answer = Extract<UserCommand, { type: "answer" }>;

export function onSideAnswer(run: Run, gate: Gate, command: Answer): Output {
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
  const end = (sideId: string, outcome: "blocked" | "stopped", why: string): RunEvent => ({
    type: "side_completed",
    sideId,
    outcome,
    why,
    artifact: null,
  });
  const group = refused.job.job === "summon" ? refused.job.group?.id : undefined;
  const later = run.side.tasks.filter(
    ({ job, end: ended }) =>
      group !== undefined &&
      job.job === "summon" &&
      job.group?.id === group &&
      !ended &&
      job.id !== refused.job.id,
  );
  return emit(
    end(refused.job.id, "blocked", `refused at ${gate.kind}`),
    ...later.map(({ job }) => end(job.id, "stopped", "a gate before it was refused")),
  );
}
