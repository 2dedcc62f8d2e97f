// `run`: a goal to verified, integrated work.
import { runModes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { choice, flag, optional, text, withDefault } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { goalOf, startFields } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";

export const run = define({
  name: "run",
  group: "Start",
  summary: "Work on a goal until it is verified or needs your decision",
  examples: [
    'thehood run "make the login test stable"',
    'thehood run "fix the parser" --check "npm test" --approvals autopilot',
  ],
  effect: "moves",
  input: {
    goal: goalOf("a goal, in quotes"),
    mode: withDefault(choice(runModes, "what kind of run"), "implement"),
    ...startFields,
    remote: flag("let a worker of the shared store advance it (see thehood worker)", { only: "cli" }),
    needs: optional(
      text("with --remote: the label that the worker must have", { min: 1, max: 40, only: "cli" }),
    ),
  },
  async handle({ noLoop, maxCycles, waitSeconds, remote, needs, ...wishes }, context) {
    const { begin } = await import("../run-data/begin.ts");
    return begin(wishes, { noLoop, maxCycles, waitSeconds, remote, needs }, context);
  },
  cli: { main: true, words: ["goal"], exit: exitOf },
  mcp: {
    tool: "thehood_orchestrate",
    main: true,
    title: "Run a goal",
    description:
      "Start a governed run: agents work in an isolated worktree, the runtime checks, a person decides at gates. Returns at once; poll thehood_status.",
    output: statusOutput,
    // It may, after the gates the user's policy sets, change the checkout.
    annotations: { destructiveHint: true },
    present: async (standing) => (await import("../run-data/host-status.ts")).hostStatus(standing),
  },
});
