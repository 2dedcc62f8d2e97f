// `take`: the work of a run that another machine did, into this checkout.
import { exitCodes, fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { patchFields } from "../check/fields.ts";
import { patchExit } from "../check/patch-exit.ts";
import { latestRun } from "../run-data/fields.ts";

export const take = define({
  name: "take",
  group: "Connect",
  summary: "Apply the work of a run that a worker completed to this checkout, all or nothing",
  more: "It is `thehood diff RUN` through `thehood patch apply`: judged by the same rules, refused where your own edits are in its way, asked about where it needs you.",
  examples: ["thehood take run_0mwh"],
  effect: "decides",
  input: { runId: latestRun, ...patchFields },
  async handle({ runId, ...options }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    const { state } = await runs.status(id);
    if (state !== "completed")
      fail("illegal_transition", `Run ${id} is not completed; it is ${state}.`, {
        remedy: "Only verified work is taken over",
        suggestions: [{ suggest: "status", runId: id }],
      });
    const { changeOf } = await import("../run-data/change.ts");
    const { bytes } = await changeOf(runs, id);
    return ports.applyPatch(bytes, { ...options, repo: folder });
  },
  cli: {
    words: ["runId"],
    exit: ({ applied, verdict }) => (applied ? exitCodes.ok : patchExit(verdict) || exitCodes.failure),
  },
});
