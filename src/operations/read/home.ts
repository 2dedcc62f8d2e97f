// `home`: what waits for a person, what works and what ended, in all repositories in which they have runs.
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
