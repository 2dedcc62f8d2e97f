// Questions that many rules ask of a run's state.
import type { CallResult, Gate, Role } from "../../contract/index.ts";
import {
  type Call,
  type Pass,
  type Plan,
  type Run,
  type SideTask,
  activePhase,
  openTasks,
  passOf,
} from "./state/index.ts";

export function callOf(run: Run, callId: string | null): Call | undefined {
  return callId === null ? undefined : run.calls.find((call) => call.record.callId === callId);
}

export type Accepted = Extract<CallResult, { result: "accepted" }>;

/** The accepted answer of a call, if it has one. */
export function acceptedOf(run: Run, callId: string | null): Accepted | undefined {
  const outcome = callOf(run, callId)?.result?.outcome;
  return outcome?.result === "accepted" ? outcome : undefined;
}

/** How many calls of one fan-out may be out at once. */
export function fanoutParallel({ created }: Run): number {
  const { fanoutParallel: most, fanoutMaxItems } = created.policy;
  return Math.min(most, fanoutMaxItems);
}

/** What is under way beside the loop, each job with its call if it has one. */
export function openBeside(
  run: Run,
): readonly { readonly task: SideTask; readonly call: Call | undefined }[] {
  return openTasks(run.side, fanoutParallel(run)).map((task) => ({ task, call: callOf(run, task.callId) }));
}

/** The calls that wait for an answer or are on their way out: the loop's own, then those beside it. */
export function openCalls(run: Run): readonly Call[] {
  const calls = [callOf(run, run.asking), ...openBeside(run).map(({ call }) => call)];
  return calls.filter((call) => call !== undefined && call.result === null) as Call[];
}

export function passNumber(run: Run, number: number): Pass {
  const found = run.passes[number];
  if (!found) throw new Error(`Run ${run.runId} has no pass ${number}.`);
  return found;
}

export function currentPass(run: Run): Pass {
  const active = activePhase(run.phase);
  return active && "pass" in active ? passNumber(run, active.pass) : latestPass(run);
}

export function latestPass(run: Run): Pass {
  return passNumber(run, run.passes.length - 1);
}

export function currentPlan(run: Run): Plan | undefined {
  return run.plans.findLast((plan) => plan.superseded === null);
}

/** What is in the checkout by our own doing: the tree of the last integrated pass, or the base. */
export function integratedTree(run: Run): string | null {
  const last = run.passes.findLast((pass) => pass.integration !== null);
  return last?.integration?.tree ?? run.created.baseTree;
}

/** The seq after which evidence about the work is fresh. */
export function lastEditSeq(run: Run): number {
  return Math.max(
    0,
    ...run.passes.flatMap((pass) => [
      pass.integration?.seq ?? 0,
      pass.captured?.patch ? pass.captured.seq : 0,
    ]),
  );
}

/** The seq after which what checks say of the work counts: its last edit, or a person's word to look again. */
export function freshSince(run: Run): number {
  const asked = run.passes.map(({ revision }) => (revision?.reasonCode === "user_revise" ? revision.seq : 0));
  return Math.max(lastEditSeq(run), ...asked);
}

export function lastIntegratedPass(run: Run): Pass | undefined {
  return run.passes.findLast((pass) => pass.integration !== null);
}

export function openGates(run: Run): readonly Gate[] {
  const gates: Gate[] = [];
  if (run.phase.state === "awaiting_approval") gates.push(run.phase.gate);
  if (run.side.gate) gates.push(run.side.gate);
  if (run.switching?.gate) gates.push(run.switching.gate);
  return gates;
}

export function openGate(run: Run, gateId: string): Gate | undefined {
  return openGates(run).find((gate) => gate.id === gateId);
}

/** The pair that an approval of a provider's use is bound to (R-61). */
export function useOf(role: Role, assignment: string): string {
  return `${role} ${assignment}`;
}

export function nameFor(run: Run, kind: keyof Run["counters"]): string {
  const prefix = { call: "call", gate: "gate", revision: "rev", side: "side" }[kind];
  const tail = run.runId.slice(run.runId.indexOf("_") + 1).slice(-24);
  return `${prefix}_${tail}${String(run.counters[kind] + 1).padStart(4, "0")}`;
}

export const commandLine = (argv: readonly string[]): string =>
  argv
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");

export const passIn = (run: Run): number => passOf(run.phase);
