// A note when a response brings the run over 70 % of a budget: a person can still extend it, or stop, before a gate does.
import { dollars, type RunEvent, type Usage } from "../../contract/index.ts";
import { callOf, costOf } from "../facts/index.ts";
import type { Run } from "../state/index.ts";

const share = 0.7;

const minutes = (ms: number): string => `${Math.round(ms / 6_000) / 10} minutes`;

export function nearLimits(run: Run, callId: string, usage: Usage, ms: number): RunEvent[] {
  const { limits, spent } = run;
  const agent = callOf(run, callId)?.record.assignment;
  const usd = agent ? (costOf(agent, usage, limits.usd !== null)?.usd ?? 0) : 0;
  const rows = [
    {
      name: "token",
      limit: limits.tokens,
      used: spent.tokens,
      more: usage.inputTokens + usage.outputTokens,
      text: String,
    },
    { name: "money", limit: limits.usd, used: spent.usd, more: usd, text: dollars },
    { name: "time", limit: limits.ms, used: spent.ms, more: ms, text: minutes },
  ];
  return rows.flatMap(({ name, limit, used, more, text }): RunEvent[] => {
    if (limit === null || used >= limit * share || used + more < limit * share) return [];
    const part = Math.round(((used + more) / limit) * 100);
    const message = `${part} % of the ${name} budget are used: ${text(used + more)} of ${text(limit)}. The run asks you when it is used up.`;
    const finding = { kind: "budget" as const, severity: "risk" as const, message, refs: [] };
    return [{ type: "finding_recorded", pass: run.passes.length - 1, finding }];
  });
}
