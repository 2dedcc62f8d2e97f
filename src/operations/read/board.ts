// The agent board of a run: a card for each role, for display only.
import { define } from "../context/index.ts";
import { flag, optional, text } from "../define/index.ts";

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
    const { truncateToBytes } = await import("../truncate/index.ts");
    if (runId === undefined) return truncateToBytes({ roles: await ports.setup.roles(folder) }, boardBytes);
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    if (includeArtifact) await runs.submit(id, { type: "export_board", by: actor });
    const { board: shown } = await runs.full(id);
    const artifact = includeArtifact
      ? { artifact: (await runs.status(id)).latest["agent_board"] ?? null }
      : {};
    const cards = shown.cards.map(({ permissions, refs, ...card }) => ({
      ...card,
      may: Object.keys(permissions).filter((name) => permissions[name as "read"]),
      ...(refs.length > 0 ? { refs } : {}),
    }));
    return truncateToBytes(
      { runId: id, state: shown.state, note: shown.note, ...artifact, cards },
      boardBytes,
    );
  },
  cli: { words: ["runId"], nowIn: { command: "show", option: "agents" } },
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
