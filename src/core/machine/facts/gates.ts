// The gates that are open: the loop's, that of a side task, and that of a role switch.
import type { Gate, GateAnswer } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";

export function openGates(run: Run): readonly Gate[] {
  const loop = run.phase.state === "awaiting_approval" ? run.phase.gate : null;
  const change = run.switching?.gate ?? null;
  const wider = run.widening?.gate ?? null;
  // A new agent for the role that holds the loop helps more than asking the old one again.
  const helps = change !== null && loop !== null && change.role === loop.role;
  const gates = helps ? [change, loop, run.side.gate, wider] : [loop, run.side.gate, change, wider];
  return gates.filter((gate) => gate !== null);
}

export function findGate(run: Run, gateId: string): Gate | undefined {
  return openGates(run).find((gate) => gate.id === gateId);
}

const passing: readonly GateAnswer[] = ["approve", "remember", "accept", "retry", "extend"];

/** Answers that let a run go on. */
export const isPassing = (answer: GateAnswer): boolean => passing.includes(answer);
