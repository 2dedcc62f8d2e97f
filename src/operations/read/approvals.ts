// `approvals`: the questions that wait for a person, in all their repositories, the riskiest first.
import { define } from "../context/index.ts";
import { whole, withDefault } from "../define/index.ts";

export const approvals = define({
  name: "approvals",
  group: "Look",
  summary: "The gates that wait for you in all your repositories, by risk",
  examples: ["thehood status --waiting", "thehood status --waiting --json"],
  effect: "reads",
  input: {
    limit: withDefault(whole("how many gates (default 50)", { min: 1, max: 10_000 }), 50),
  },
  async handle({ limit }, context) {
    const { everywhere } = await import("../run-data/everywhere.ts");
    const { rows } = await everywhere(context, { search: "", group: "waits", limit });
    return rows.slice(0, limit).map(({ repo, runId, goal, risk, gate, since }) => ({
      repo,
      runId,
      gate: gate?.id ?? null,
      kind: gate?.kind ?? null,
      asks: gate?.title ?? "",
      risk,
      since: new Date(since).toISOString(),
      goal,
    }));
  },
  cli: { nowIn: { command: "status", option: "waiting" } },
});
