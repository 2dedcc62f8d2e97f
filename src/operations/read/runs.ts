// `runs`: the list of runs, newest first.
import { runStates } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, optional, text, whole, withDefault } from "../define/index.ts";

export const runs = define({
  name: "runs",
  group: "Look",
  summary: "List runs, newest first",
  examples: ["thehood status --state awaiting_approval", "thehood status --limit 100 --json"],
  effect: "reads",
  input: {
    limit: withDefault(
      whole("how many (default 20)", {
        min: 1,
        mcp: { max: 100, about: "At most this many, newest first." },
      }),
      20,
    ),
    state: optional(
      choice(runStates, "only runs in this state", { mcp: { about: "Only runs in this state." } }),
    ),
    cursor: optional(
      text("the runs behind the page before: its nextCursor", {
        min: 1,
        max: 100,
        mcp: { about: "nextCursor of the page before." },
      }),
    ),
  },
  async handle(query, context) {
    return (await import("../run-data/row.ts")).listRuns(context, query);
  },
  cli: { nowIn: { command: "status" } },
  mcp: {
    tool: "thehood_runs",
    main: true,
    title: "Runs",
    description: "List runs, newest first.",
    output: { total: "number", runs: "array", nextCursor: "string?" },
    present: async (list) => (await import("../run-data/host-list.ts")).hostedList(list),
  },
});
