// `changes`: a change of a run as rows for a reader.
import { define } from "../context/index.ts";
import { optional, text, whole } from "../define/index.ts";
import { latestRun } from "../run-data/fields.ts";
import { diff } from "./diff.ts";

export const changes = define({
  name: "changes",
  group: "Look",
  summary: "The change as files, hunks and lines",
  more: "The data behind the diff page; thehood diff prints the exact bytes.",
  examples: ["thehood show run_0mwh --diff --json"],
  effect: "reads",
  input: {
    runId: latestRun,
    ref: optional(
      text("the artifact of another pass (default: the whole change of the newest)", { min: 4, max: 80 }),
    ),
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
  cli: { words: ["runId", "ref"], nowIn: { command: "show", option: "diff" } },
});
