// `runs archive`: old runs as files, out of the store.
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";
import { retireFields, retireOptions } from "./retire-fields.ts";

export const runsArchive = define({
  name: "runs archive",
  group: "Decide",
  summary: "Write runs that are over to one signed file each, and take them out of the store",
  more: "Each file is read back and verified before anything is removed. Verify one anywhere: thehood log verify --archive FILE --key KEY. Kept work stays (thehood prune).",
  examples: ["thehood runs archive --older-than 90", "thehood runs archive run_0mwh --to ~/archive"],
  effect: "decides",
  input: {
    ...retireFields,
    to: optional(
      text("the folder for the files (default: archive/ beside the store)", { cli: { value: "dir" } }),
    ),
  },
  async handle({ to, ...named }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return runs.retire({ ...(await retireOptions(runs, named)), archive: true, folder: to });
  },
  cli: { words: ["runId"] },
});
