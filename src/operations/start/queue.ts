// The queue of this machine: runs that wait for their turn, of all repositories of the user.
import { define } from "../context/index.ts";
import { flag, optional, spelled, text, whole, withDefault } from "../define/index.ts";
import { goalOf, startFields } from "./fields.ts";

const parallel = withDefault(whole("runs at once (default 2)", { min: 1, max: 64, cli: { value: "n" } }), 2);
const queuedRun = text("a run of the queue: its id or the first letters", {
  min: 1,
  max: 64,
  cli: { name: "run" },
});

export const queue = define({
  name: "queue",
  group: "Start",
  summary: "Runs that wait for their turn, are under way, or wait for you",
  more: "thehood queue run works on them. Nothing is lost when it is killed or the computer restarts: start it again.",
  examples: ['thehood queue add "fix the parser"', "thehood queue", "thehood queue run --parallel 4"],
  effect: "reads",
  input: {},
  handle: async (_input, context) => (await import("../run-data/queue.ts")).viewQueue(context),
  cli: { main: true },
});

export const queueList = define({
  name: "queue list",
  group: "Start",
  summary: "The same as thehood queue",
  examples: ["thehood queue list --json"],
  effect: "reads",
  input: {},
  handle: async (_input, context) => (await import("../run-data/queue.ts")).viewQueue(context),
  cli: {},
});

export const queueAdd = define({
  name: "queue add",
  group: "Start",
  summary: "Create a run that waits in the queue, or put a run there that exists",
  examples: ['thehood queue add "fix the parser" --check "npm test"', "thehood queue add --run run_0mwh"],
  effect: "moves",
  input: {
    goal: optional(goalOf("a goal, in quotes")),
    run: optional(text("put this run into the queue instead", { min: 1, max: 64, cli: { value: "run" } })),
    ...startFields,
    noLoop: spelled(startFields.noLoop, { only: "mcp" }),
    maxCycles: spelled(startFields.maxCycles, { only: "mcp" }),
  },
  async handle({ goal, run, noLoop: _alone, maxCycles: _rounds, waitSeconds: _wait, ...options }, context) {
    const { fail } = await import("../../core/contract/index.ts");
    if ((goal === undefined) === (run === undefined))
      return fail("invalid_input", "Name a goal, or a run that exists.", {
        remedy: 'thehood queue add "goal", or thehood queue add --run RUN',
      });
    const { addToQueue, viewQueue } = await import("../run-data/queue.ts");
    const { requested } = await import("../run-data/begin.ts");
    await using runs = await context.ports.runs(context.folder);
    const made = () => runs.start(requested({ ...options, goal: goal ?? "", mode: "implement" }), context.actor);
    const runId = run === undefined ? await made() : await runs.find(run);
    try {
      await addToQueue(context, runs, runId);
    } catch (error) {
      // A second try with the goal would make a second run.
      if (run === undefined) context.tell(`${runId} was created and waits: thehood queue add --run ${runId}`);
      throw error;
    }
    return { runId, ...(await viewQueue(context)) };
  },
  cli: { args: ["goal"] },
});

export const queueTop = define({
  name: "queue top",
  group: "Start",
  summary: "Let a run be the next, and try again one that was set aside",
  examples: ["thehood queue top run_0mwh"],
  effect: "decides",
  input: { runId: queuedRun },
  async handle({ runId }, context) {
    const { entryIn, viewQueue } = await import("../run-data/queue.ts");
    using opened = await context.ports.queue();
    opened.top(entryIn(opened, runId).runId);
    return viewQueue(context);
  },
  cli: { args: ["runId"] },
});

export const queueRemove = define({
  name: "queue remove",
  group: "Start",
  summary: "Take a run out of the queue; the run stays as it is",
  examples: ["thehood queue remove run_0mwh"],
  effect: "decides",
  input: { runId: queuedRun },
  async handle({ runId }, context) {
    const { entryIn, viewQueue } = await import("../run-data/queue.ts");
    using opened = await context.ports.queue();
    const entry = entryIn(opened, runId);
    opened.remove(entry.runId);
    if (entry.owner !== null)
      context.tell(`${entry.runId} is under way and goes on to its end or its next gate. Stop it: thehood abort RUN`);
    return viewQueue(context);
  },
  cli: { args: ["runId"] },
});

export const queuePause = define({
  name: "queue pause",
  group: "Start",
  summary: "Begin no further run of the queue; --off goes on",
  more: "Runs that are under way go on to their end or their next gate.",
  examples: ["thehood queue pause", "thehood queue pause --off"],
  effect: "decides",
  input: { off: flag("go on") },
  async handle({ off }, context) {
    const { viewQueue } = await import("../run-data/queue.ts");
    using opened = await context.ports.queue();
    opened.pause(!off);
    return viewQueue(context);
  },
  cli: {},
});

export const queueRun = define({
  name: "queue run",
  group: "Start",
  summary: "Work on the runs of the queue, each in a process of its own",
  more: "It ends when every run is over or waits for you; with --stay it waits for more. Ctrl-C begins nothing new, and runs under way go on. Two of these share the places.",
  examples: ["thehood queue run --parallel 4", "thehood queue run --stay"],
  effect: "moves",
  input: { parallel, stay: flag("wait for more runs instead of ending") },
  handle: async (wanted, context) => (await import("../run-data/serve-queue.ts")).serveQueue(context, wanted),
  cli: {},
});

export const queueService = define({
  name: "queue service",
  group: "Start",
  summary: "Print a unit for systemd that works on the queue after each start of the computer",
  examples: [
    "thehood queue service > ~/.config/systemd/user/thehood-queue.service",
    "systemctl --user enable --now thehood-queue",
  ],
  effect: "reads",
  input: { parallel },
  async handle(wanted, context) {
    using opened = await context.ports.queue();
    return { unit: opened.unit(wanted.parallel) };
  },
  cli: {},
});

export const queueWork = define({
  name: "queue work",
  group: "Start",
  summary: "Advance one run of the queue, as thehood queue run does it",
  effect: "moves",
  input: { runId: queuedRun, parallel },
  handle: async ({ runId, parallel: most }, context) => ({
    runId,
    stop: await (await import("../run-data/queue.ts")).workOn(context, runId, most),
  }),
  cli: { args: ["runId"], hidden: true },
});
