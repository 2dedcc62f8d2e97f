// A verifier asks for commands: each becomes a task beside the loop, under the gates of every command, and the verifier
// is asked again when all of them have ended. A command approves nothing.
import { commandsOf, nameFor, requestedTasks } from "../facts/index.ts";
import { type Decision, emit } from "../decision.ts";
import { reviewTree } from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";

/** `waits`: a command is under way, or stands at its gate. */
export function runRequested(run: Run, pass: Pass): Decision | "waits" | null {
  const callId = pass.asksToRun.at(-1);
  if (callId === undefined || pass.verifier !== null) return null;
  const tasks = requestedTasks(run, callId);
  const line = commandsOf(run, callId)[tasks.length];
  if (line !== undefined)
    return emit({
      type: "side_requested",
      job: {
        job: "exec",
        id: nameFor(run, "side"),
        argv: ["bash", "-c", line],
        cwd: "",
        allowRisky: false,
        requestedBy: { callId, tree: reviewTree(run) },
      },
      by: { kind: "policy", surface: "runtime" },
    });
  return tasks.some(({ end }) => end === null) ? "waits" : null;
}
