// `diff`: the change that a run captured.
import { fail } from "../../contract/index.ts";
import { define } from "../context/index.ts";
import { latestRun } from "../runs/fields.ts";

export const diff = define({
  name: "diff",
  group: "Look",
  summary: "The change a run captured, byte for byte",
  more: "In a pipe and a file every byte is as captured; on a terminal control characters are left out.",
  examples: ["thehood diff run_0mwh > change.patch", "thehood diff | git apply --check"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const patches = (await runs.events(id)).flatMap(({ event }) =>
      event.type === "isolated_patch_captured" && event.patch ? [event.patch] : [],
    );
    const patch =
      patches.at(-1) ??
      fail("not_found", `Run ${id} captured no change.`, {
        remedy: "Look at what it did",
        suggestions: [{ suggest: "logs", runId: id }],
      });
    const { ref } = patch.full;
    const { bytes } = await runs.artifact(id, ref);
    return { runId: id, ref, sha256: ref.slice(7), changedPaths: patch.changedPaths, bytes };
  },
  cli: { words: ["runId"] },
});
