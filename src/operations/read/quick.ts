// The operations that a shell prompt or a watching program calls all the time. They start without the others.
import { define } from "../context/index.ts";
import { whole, withDefault, choice, flag, optional, text } from "../define/index.ts";
import { runStates } from "../../core/contract/index.ts";

export const top = define({
  name: "top",
  group: "Look",
  summary: "Your runs on one live screen, with decisions; thehood alone opens it too",
  more: "Keys are shown where they apply, ? explains them, and every action shows the command it equals. Where no person sits at a terminal it prints what thehood status prints.",
  examples: ["thehood top", "thehood"],
  effect: "reads",
  input: { limit: withDefault(whole("how many runs (default 200)", { min: 1, max: 10_000 }), 200) },
  async handle({ limit }, context) {
    const { everywhere } = await import("../run-data/everywhere.ts");
    return { limit, home: await everywhere(context, { limit, search: "", group: undefined }) };
  },
  cli: {},
});

export const status = define({
  name: "status",
  group: "Look",
  summary: "The runs here; with a run, its state and what it waits for",
  examples: ["thehood status", "thehood status run_0mwh --verbose   # everything that a gate shows"],
  effect: "reads",
  input: {
    runId: optional(
      text("a run id or its first letters", {
        min: 1,
        max: 64,
        cli: { name: "run" },
        mcp: { about: "A run id or its first letters; the newest run without." },
      }),
    ),
    limit: withDefault(whole("how many runs to list (default 20)", { min: 1, only: "cli" }), 20),
    state: optional(choice(runStates, "list only runs in this state", { only: "cli" })),
    cursor: optional(text("list the runs behind the page before: its nextCursor", { min: 1, max: 100, only: "cli" })),
    overview: flag("the list of runs when no run is named"),
    detail: withDefault(choice(["summary", "full"], "how much", { only: "mcp" }), "summary"),
    section: optional(
      text("which part", {
        max: 40,
        only: "mcp",
        mcp: { about: 'With detail "full": which part. Without: a list of parts.' },
      }),
    ),
    offset: withDefault(
      whole("where to begin", {
        min: 0,
        only: "mcp",
        mcp: { about: "Where to begin in a section that is a list." },
      }),
      0,
    ),
  },
  async handle({ runId, limit, state, cursor, overview, detail, section, offset }, context) {
    if (overview && runId === undefined) {
      const { listRuns } = await import("../run-data/row.ts");
      return { list: await listRuns(context, { limit, state, cursor }) };
    }
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    if (detail === "summary" && section === undefined)
      return { standing: await (await import("../run-data/snapshot.ts")).runStatusOf(runs, id) };
    const { sectionsOf } = await import("../run-data/sections.ts");
    return { part: sectionsOf(await runs.full(id), section, offset) };
  },
  cli: { main: true, args: ["runId"], fixed: { overview: true } },
  mcp: {
    tool: "thehood_status",
    main: true,
    title: "Status",
    description: 'The status of a run, under 4 kB. detail "full" gives the rest by sections.',
    output: {
      runId: "string",
      state: "string?",
      mode: "string?",
      working: "boolean?",
      activity: "array?",
      gate: "object|null?",
      latest: "object?",
      next: "array?",
      poll: "string?",
      sections: "object?",
      section: "string?",
      value: "any?",
    },
    fixed: { overview: false },
    present: async ({ standing, part }) =>
      standing ? (await import("../run-data/for-program.ts")).hostStatus(standing) : part,
  },
});

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
    state: optional(choice(runStates, "only runs in this state", { mcp: { about: "Only runs in this state." } })),
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
    present: async (list) => (await import("../run-data/for-program.ts")).hostedList(list),
  },
});

export const quickOperations = [top, status, runs] as const;
