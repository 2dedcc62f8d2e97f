// A run as a whole, its open gates, its timeline and its roles.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";
import { flag, optional, text } from "../define/index.ts";

export const show = define({
  name: "show",
  group: "Look",
  summary: "A run in twenty lines; one part with --gate, --diff, --log …",
  examples: ["thehood show run_0mwh", "thehood show run_0mwh --gate", "thehood show --log --follow"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const { idle, working, waits } = await runStatusOf(runs, id);
    const { lines: output, activities } = working ? await runs.live(id) : { lines: [], activities: [] };
    const { failingChecks } = await import("../run-data/failing.ts");
    const failing = await failingChecks(runs, id, await runs.events(id));
    return { idle, working, waits, view: await runs.full(id), output, activities, failing };
  },
  cli: { main: true, args: ["runId"] },
});

export const gate = define({
  name: "gate",
  group: "Look",
  summary: "The open gates and everything that they ask",
  more: "The data behind the gate page; thehood status shows the same for a terminal.",
  examples: ["thehood show run_0mwh --gate --json"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { gateDetails } = await import("../run-data/gate-details.ts");
    const { readable } = await import("../run-data/gate-details-view.ts");
    return readable(await gateDetails(context, runId));
  },
  cli: { args: ["runId"], nowIn: { command: "show", option: "gate" } },
});

export const timeline = define({
  name: "timeline",
  group: "Look",
  summary: "The run over time, with the evidence of each event",
  more: "The data behind the run page.",
  examples: ["thehood show run_0mwh --timeline --json"],
  effect: "reads",
  input: { runId: latestRun },
  handle: async ({ runId }, context) => (await import("../run-data/record.ts")).storyOf(context, runId),
  cli: { args: ["runId"], nowIn: { command: "show", option: "timeline" } },
});

const boardBytes = 5_800;

export const board = define({
  name: "agent-board",
  group: "Look",
  summary: "A card for each role",
  examples: ["thehood show --agents", "thehood show run_0mwh --agents --artifact"],
  effect: "moves",
  input: {
    runId: optional(
      text("a run", { min: 1, max: 64, mcp: { about: "A run; without, who would play which role here." } }),
    ),
    includeArtifact: flag("keep the board as an artifact of the run", {
      cli: { name: "artifact" },
      mcp: { about: "Also keep the board as an artifact of the run." },
    }),
  },
  async handle({ runId, includeArtifact }, { ports, folder, actor }) {
    const { truncateToBytes } = await import("../truncate.ts");
    if (runId === undefined) return truncateToBytes({ roles: await ports.setup.roles(folder) }, boardBytes);
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    if (includeArtifact) await runs.submit(id, { type: "export_board", by: actor });
    const { board: shown } = await runs.full(id);
    const artifact = includeArtifact ? { artifact: (await runs.status(id)).latest["agent_board"] ?? null } : {};
    const cards = shown.cards.map(({ permissions, refs, ...card }) => ({
      ...card,
      may: Object.keys(permissions).filter((name) => permissions[name as "read"]),
      ...(refs.length > 0 ? { refs } : {}),
    }));
    return truncateToBytes({ runId: id, state: shown.state, note: shown.note, ...artifact, cards }, boardBytes);
  },
  cli: { args: ["runId"], nowIn: { command: "show", option: "agents" } },
  mcp: {
    tool: "thehood_agent_board",
    title: "Agent board",
    description: "A card for each role of a run. Display only.",
    output: {
      runId: "string?",
      state: "string?",
      note: "string?",
      artifact: "string|null?",
      cards: "array?",
      roles: "array?",
    },
    annotations: { openWorldHint: false },
  },
});
