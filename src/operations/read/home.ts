// The runs and the waiting gates of all repositories of a user.
import { define } from "../context/index.ts";
import { choice, optional, text, whole, withDefault } from "../define/index.ts";

export const home = define({
  name: "home",
  group: "Look",
  summary: "The runs of all your repositories, by what waits, works and ended",
  examples: ["thehood status --everywhere", 'thehood status --everywhere --search "login" --json'],
  effect: "reads",
  input: {
    search: withDefault(text("only runs with these words in goal, id, folder or state", { max: 200 }), ""),
    group: optional(choice(["waits", "works", "stopped", "ended"], "only these")),
    limit: withDefault(whole("how many runs of a repository (default 50)", { min: 1, max: 10_000 }), 50),
  },
  handle: async (wanted, context) => (await import("../run-data/everywhere.ts")).everywhere(context, wanted),
  cli: { nowIn: { command: "status", option: "everywhere" } },
});

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
