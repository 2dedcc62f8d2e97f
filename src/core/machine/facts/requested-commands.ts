// Commands that a verifier asks for: how many it may have, and how each of them ended.
import type { Run, SideTask } from "../state/index.ts";
import { acceptedOf } from "./calls.ts";
import { passAt } from "./passes.ts";

/** The commands of one answer, and the answers of one pass that may ask for some. */
const mostCommands = 4;
const mostAsks = 2;

/** The answer asks for commands instead of giving a verdict. After the last such answer only a verdict counts. */
export function mayAskToRun(run: Run, pass: number): boolean {
  return passAt(run, pass).asksToRun.length < mostAsks;
}

/** The shell lines that this answer asks for. */
export function commandsOf(run: Run, callId: string): readonly string[] {
  const brief = acceptedOf(run, callId)?.brief;
  return brief?.contract === "verification_result"
    ? (brief.requestedCommands ?? []).slice(0, mostCommands)
    : [];
}

/** The tasks of the commands that this answer asked for, in its order. */
export const requestedTasks = (run: Run, callId: string): readonly SideTask[] =>
  run.side.tasks.filter(({ job }) => job.job === "exec" && job.requestedBy?.callId === callId);

/** How many commands the verifier may still ask for in this pass. */
export const commandsLeft = (run: Run, pass: number): number => (mayAskToRun(run, pass) ? mostCommands : 0);
