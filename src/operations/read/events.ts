// The events of a run, stored and live.
import { define } from "../context/index.ts";
import { flag, optional, whole } from "../define/index.ts";
import { latestRun } from "../run-data/fields.ts";

/** The number of an event. */
export const fromEvent = optional(whole("start at this event", { min: 1, cli: { value: "seq" } }));

export const logs = define({
  name: "logs",
  group: "Look",
  summary: "The events",
  examples: ["thehood show run_0mwh --log --from 40", "thehood show --log --follow"],
  effect: "reads",
  input: {
    runId: latestRun,
    from: fromEvent,
    follow: flag("go on with each event as it comes", { only: "cli", cli: { short: "f" } }),
  },
  async handle({ runId, from, follow }, context) {
    if (follow) return (await import("../run-data/watched.ts")).watched(context, runId, from ?? 1);
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const { withOtherNames } = await import("../../core/machine/view/index.ts");
    const events = withOtherNames(await runs.events(id, 1));
    return { runId: id, events: events.filter(({ seq }) => seq >= (from ?? 1)) };
  },
  cli: { args: ["runId"], nowIn: { command: "show", option: "log" } },
});

export const watch = define({
  name: "watch",
  group: "Look",
  summary: "Follow a run live",
  more: "Ends when the run ends, or when the process that works on it is gone; Ctrl-C stops looking and leaves the run alone. With --json each event is one line.",
  examples: ["thehood watch", "thehood watch run_0mwh --json | jq .event.type"],
  effect: "reads",
  input: { runId: latestRun, from: fromEvent },
  handle: async ({ runId, from = 1 }, context) =>
    (await import("../run-data/watched.ts")).watched(context, runId, from),
  cli: { args: ["runId"] },
});

export const attach = define({
  name: "attach",
  group: "Look",
  summary: "Follow a run live, and decide here where it waits for you",
  more: "For a run that goes on without a terminal. Ctrl-C stops looking and leaves the run alone. When it waits for you, you are asked, and it goes on in this terminal; without one, this is thehood watch.",
  examples: ["thehood attach", "thehood attach run_0mwh"],
  effect: "moves",
  input: { runId: latestRun },
  handle: async ({ runId }, context) => (await import("../run-data/watched.ts")).attached(context, runId),
  cli: { main: true, args: ["runId"] },
});
