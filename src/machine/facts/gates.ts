// The gates that are open: the loop's, that of a side task, and that of a role switch.
import type { Gate, GateAnswer } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";

export function openGates(run: Run): readonly Gate[] {
  const gates: Gate[] = [];
  if (run.phase.state === "awaiting_approval") gates.push(run.phase.gate);
  if (run.side.gate) gates.push(run.side.gate);
  if (run.switching?.gate) gates.push(run.switching.gate);
  return gates;
}

export function findGate(run: Run, gateId: string): Gate | undefined {
  return openGates(run).find((gate) => gate.id === gateId);
}

const passing: readonly GateAnswer[] = ["approve", "accept", "retry", "extend"];

/** Answers that let a run go on. */
export const isPassing = (answer: GateAnswer): boolean => passing.includes(answer);
