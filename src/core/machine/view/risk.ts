// The risk of an open gate, which orders the gates that wait.
import { gateTable, type GateRisk, type GateRules } from "../gate/table.ts";

const known: Readonly<Record<string, GateRules | undefined>> = gateTable;

/** The row of a run can name a kind that only a newer version knows: its risk is `medium`. */
export const gateRisk = (kind: string): GateRisk => known[kind]?.risk ?? "medium";

/** A gate that asks several questions at once is as risky as the worst of them. */
export function worstRisk(kind: string, kinds: readonly string[] = []): GateRisk {
  const risks = [kind, ...kinds].map((one) => gateRisk(one));
  return (["high", "medium"] as const).find((risk) => risks.includes(risk)) ?? "low";
}
