// The gates that are open: the loop's, that of a side task, and that of a role switch.
import type { Gate } from "../../contract/index.ts";
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
