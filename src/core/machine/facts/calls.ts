// Calls of a run: one by its id, its accepted response, the open ones, the role that is asked first, and the commands that
// a verifier requests.
import type { CallRecord, CallResult, Role, SideJob, AskedRole } from "../../contract/index.ts";
import { type AgentCall, type Pass, type Run, type SideTask, openTasks } from "../state/index.ts";
import { passAt } from "./passes.ts";

export function callOf(run: Run, callId: string | null): AgentCall | undefined {
  return callId === null ? undefined : run.calls.find((call) => call.record.callId === callId);
}

export type Accepted = Extract<CallResult, { result: "accepted" }>;

/** The accepted response of a call, if it has one. */
export function acceptedOf(run: Run, callId: string | null): Accepted | undefined {
  const outcome = callOf(run, callId)?.result?.outcome;
  return outcome?.result === "accepted" ? outcome : undefined;
}

/** The verifier's calls about the diff of a pass: those for earlier parts of a long diff, then the one with the verdict. */
export function verifierAnswers(run: Run, { readParts, verifier }: Pass): readonly AgentCall[] {
  return [...readParts.verifier, verifier].map((callId) => callOf(run, callId)).filter((call) => call !== undefined);
}

/** The number of calls of one fan-out that may be out at once. */
export function fanoutParallel({ created }: Run): number {
  const { fanoutParallel: most, fanoutMaxItems } = created.policy;
  return Math.min(most, fanoutMaxItems);
}

/** The side tasks that are under way, each with its call if it has one. */
export function openSideTasks(run: Run): readonly { readonly task: SideTask; readonly call: AgentCall | undefined }[] {
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
  return brief?.contract === "verification_result" ? (brief.requestedCommands ?? []).slice(0, mostCommands) : [];
}

/** The tasks of the commands that this answer asked for, in its order. */
export const requestedTasks = (run: Run, callId: string): readonly SideTask[] =>
  run.side.tasks.filter(({ job }) => job.job === "exec" && job.requestedBy?.callId === callId);

/** How many commands the verifier may still ask for in this pass. */
export const commandsLeft = (run: Run, pass: number): number => (mayAskToRun(run, pass) ? mostCommands : 0);

const mapped = { plan: "planner", research: "researcher", review: "critic", implement: "planner" } as const;

export function firstRole(run: Pick<Run, "created" | "roles">): AskedRole {
  const { preferredRole, mode } = run.created;
  if (preferredRole && run.roles[preferredRole]) return preferredRole;
  return run.roles[mapped[mode]] ? mapped[mode] : "orchestrator";
}
