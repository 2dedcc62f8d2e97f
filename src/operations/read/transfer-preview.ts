// `transfer preview`: what would leave the machine at the open gate, or left it last, as its manifest tells.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const transferPreview = define({
  name: "transfer preview",
  group: "Look",
  summary: "What the run would send to a provider, or sent last",
  examples: ["thehood show --transfer", "thehood show run_0mwh --transfer --json"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    const newest = (await runs.events(id)).findLast(
      ({ event }) => event.type === "external_transfer_manifest_written",
    )?.event;
    if (newest?.type !== "external_transfer_manifest_written")
      return { runId: id, waits: false, ref: null, manifest: null };
    const { ref } = newest.manifest.manifest;
    const { bytes } = await runs.artifact(id, ref);
    const manifest: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const waits = (await runs.gates(id)).some(({ kind }) => kind.endsWith("_external_transfer"));
    return { runId: id, waits, ref, manifest };
  },
  cli: { words: ["runId"], nowIn: { command: "show", option: "transfer" } },
  mcp: {
    tool: "thehood_transfer_preview",
    title: "Transfer preview",
    description: "The newest transfer manifest of a run. Sends nothing.",
    output: { runId: "string", waits: "boolean", ref: "string|null", manifest: "object|null" },
    present: async (shown) => (await import("../truncate/index.ts")).truncateToBytes(shown, 5_800),
  },
});
