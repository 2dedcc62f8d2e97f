// `summon`: one role is called on a run, reading only.
import { define } from "../context/index.ts";
import { sideTaskExit } from "../run-data/side-task-exit.ts";
import { latestRun, waitSeconds } from "../run-data/fields.ts";
import { summonFields } from "../run-data/summon-fields.ts";
import { sideTaskOutput } from "../run-data/output.ts";

export const summon = define({
  name: "summon",
  group: "Ask agents",
  summary: "Call one role on a run, reading only; nothing moves",
  examples: [
    'thehood summon run_0mwh --role critic --brief "is the lock released on every path?"',
    'thehood summon --role researcher --kind research --brief "who calls this?" --agent claude-code:haiku',
  ],
  effect: "moves",
  input: { runId: latestRun, ...summonFields, waitSeconds },
  async handle({ runId, waitSeconds: seconds, ...item }, context) {
    const { runSideTask, toSummon } = await import("../run-data/side-task.ts");
    return runSideTask(context, { runId, waitSeconds: seconds }, async (runs) => ({
      type: "summon",
      by: context.actor,
      request: await toSummon(runs, item),
    }));
  },
  cli: { words: ["runId"], exit: sideTaskExit },
  mcp: {
    tool: "thehood_summon",
    main: true,
    title: "Summon a role to a run",
    description: "Ask one reading role about a run. It moves nothing and satisfies no gate.",
    output: sideTaskOutput,
    present: async (result) => (await import("../run-data/host-side-tasks.ts")).hostSideTasks(result),
  },
});
