// The change of a run, as bytes and as rows, and what a run sends to a provider.
import { define } from "../context/index.ts";
import { latestRun } from "../run-data/fields.ts";
import { optional, text, whole } from "../define/index.ts";

export const diff = define({
  name: "diff",
  group: "Look",
  summary: "The change a run captured, byte for byte",
  more: "In a pipe and a file every byte is as captured; on a terminal control characters are left out.",
  examples: ["thehood diff run_0mwh > change.patch", "thehood diff | git apply --stat"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const { changeOf } = await import("../run-data/change.ts");
    const change = await changeOf(runs, id);
    return { runId: id, ...change };
  },
  cli: { args: ["runId"] },
});

export const changes = define({
  name: "changes",
  group: "Look",
  summary: "The change as files, hunks and lines",
  more: "The data behind the diff page; thehood diff prints the exact bytes.",
  examples: ["thehood show run_0mwh --diff --json"],
  effect: "reads",
  input: {
    runId: latestRun,
    ref: optional(text("the artifact of another pass (default: the whole change of the newest)", { min: 4, max: 80 })),
    pass: optional(whole("what this pass changed since the pass before", { min: 1, max: 10_000 })),
  },
  async handle({ runId, ref, pass }, context) {
    const { showPatch } = await import("../../core/patch/index.ts");
    if (ref === undefined && pass === undefined) {
      const whole = await diff.handle({ runId }, context);
      return { runId: whole.runId, ref: whole.ref, ...showPatch(whole.bytes) };
    }
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    if (pass !== undefined) {
      const { passChange } = await import("../run-data/change.ts");
      return { runId: id, ref: `pass ${pass}`, ...showPatch(await passChange(runs, id, pass)) };
    }
    const found = await runs.artifact(id, ref ?? "");
    return { runId: id, ref: found.ref, ...showPatch(found.bytes) };
  },
  cli: { args: ["runId", "ref"], nowIn: { command: "show", option: "diff" } },
});

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
    const open = (await runs.gates(id)).flatMap(({ subject }) => subject.refs);
    const shown = open.find(({ kind }) => kind === "transfer_manifest");
    const newest = (await runs.events(id)).findLast(
      ({ event }) => event.type === "external_transfer_manifest_written",
    )?.event;
    const last = newest?.type === "external_transfer_manifest_written" ? newest.manifest.manifest : undefined;
    const { ref } = shown ?? last ?? { ref: null };
    if (ref === null) return { runId: id, waits: false, ref, manifest: null };
    const { bytes } = await runs.artifact(id, ref);
    const manifest: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const waits = shown !== undefined;
    return { runId: id, waits, ref, manifest };
  },
  cli: { args: ["runId"], nowIn: { command: "show", option: "transfer" } },
  mcp: {
    tool: "thehood_transfer_preview",
    title: "Transfer preview",
    description: "The newest transfer manifest of a run. Sends nothing.",
    output: { runId: "string", waits: "boolean", ref: "string|null", manifest: "object|null" },
    present: async (shown) => (await import("../truncate.ts")).truncateToBytes(shown, 5_800),
  },
});
