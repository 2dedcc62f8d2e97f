// `fanout`: several roles are called on a run at once, reading only.
import { define } from "../context/index.ts";
import { list, needed, shape } from "../define/index.ts";
import { sideTaskExit } from "../run-data/side-task-exit.ts";
import { latestRun, waitSeconds } from "../run-data/fields.ts";
import { summonFields } from "../run-data/summon-fields.ts";
import { sideTaskOutput } from "../run-data/output.ts";

export const fanout = define({
  name: "fanout",
  group: "Ask agents",
  summary: "Call several roles on a run at once, reading only",
  examples: [
    `thehood fanout run_0mwh --items '[{"role":"critic","brief":"races?"},{"role":"qa","brief":"what is untested?"}]'`,
    "thehood fanout run_0mwh --items @questions.json",
  ],
  effect: "moves",
  input: {
    runId: latestRun,
    items: needed(
      list(
        shape(summonFields, "one call"),
        "a JSON list of {role, brief, kind?, persona?, agent?}, or @file",
        { min: 1, max: 8, words: "a list of one to eight items" },
      ),
    ),
    waitSeconds,
  },
  async handle({ items, ...input }, context) {
    const { runSideTask, toSummon } = await import("../run-data/side-task.ts");
    return runSideTask(context, input, async (runs) => ({
      type: "fanout",
      by: context.actor,
      items: await Promise.all(items.map((item) => toSummon(runs, item))),
    }));
  },
  cli: { words: ["runId"], exit: sideTaskExit },
  mcp: {
    tool: "thehood_fanout",
    main: true,
    title: "Ask several roles",
    description: "Ask up to eight reading roles about a run at once. It moves nothing and satisfies no gate.",
    output: sideTaskOutput,
    present: async (result) => (await import("../run-data/host-side-tasks.ts")).hostSideTasks(result),
  },
});
