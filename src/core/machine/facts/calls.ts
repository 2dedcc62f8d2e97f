// Calls of a run: one by its id, its accepted response, and those that are open in the loop and on the side.
import type { CallRecord, CallResult, Role, SideJob } from "../../contract/index.ts";
import { type AgentCall, type Run, type SideTask, openTasks } from "../state/index.ts";

export function callOf(run: Run, callId: string | null): AgentCall | undefined {
  return callId === null ? undefined : run.calls.find((call) => call.record.callId === callId);
}

export type Accepted = Extract<CallResult, { result: "accepted" }>;

/** The accepted response of a call, if it has one. */
export function acceptedOf(run: Run, callId: string | null): Accepted | undefined {
  const outcome = callOf(run, callId)?.result?.outcome;
  return outcome?.result === "accepted" ? outcome : undefined;
}

/** The number of calls of one fan-out that may be out at once. */
export function fanoutParallel({ created }: Run): number {
  const { fanoutParallel: most, fanoutMaxItems } = created.policy;
  return Math.min(most, fanoutMaxItems);
}

/** The side tasks that are under way, each with its call if it has one. */
export function openSideTasks(
  run: Run,
): readonly { readonly task: SideTask; readonly call: AgentCall | undefined }[] {
  return openTasks(run.side, fanoutParallel(run)).map((task) => ({ task, call: callOf(run, task.callId) }));
}

/** The calls that wait for a response or are on their way out: first the loop's, then those on the side. */
export function openCalls(run: Run): readonly AgentCall[] {
  const calls = [callOf(run, run.asking), ...openSideTasks(run).map(({ call }) => call)];
  return calls.filter((call) => call !== undefined && call.result === null) as AgentCall[];
}

/** The pair that an approval of a provider's use is bound to. */
export function useOf(role: Role, assignment: string): string {
  return `${role} ${assignment}`;
}

/** The job of the side task that a call belongs to. */
export const sideJobOf = (run: Run, { sideId }: CallRecord): SideJob | undefined =>
  run.side.tasks.find((task) => task.job.id === sideId)?.job;
