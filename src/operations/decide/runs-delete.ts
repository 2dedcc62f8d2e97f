// `runs delete`: old runs, out of the store for good.
import { define } from "../context/index.ts";
import { retireFields, retireOptions } from "./retire-fields.ts";

export const runsDelete = define({
  name: "runs delete",
  group: "Decide",
  summary: "Delete runs that are over, with the artifacts that no other run names",
  more: "That you did so is signed, so that `thehood log verify` does not miss them. Kept work stays (thehood prune); `thehood runs archive` writes them to files first.",
  examples: ["thehood runs delete --older-than 365", "thehood runs delete run_0mwh"],
  effect: "decides",
  input: retireFields,
  async handle(named, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return runs.retire({ ...(await retireOptions(runs, named)), archive: false });
  },
  cli: { words: ["runId"] },
});
