// Archives and deletes runs that are over.
import { fail } from "../../core/contract/index.ts";
import { type RepositoryRuns, type RetireOptions, define } from "../context/index.ts";
import { number, optional, text } from "../define/index.ts";

export const retireFields = {
  runId: optional(text("this run", { cli: { name: "run" } })),
  olderThan: optional(number("all runs that ended more than this many days ago", { min: 0, cli: { value: "days" } })),
};

export async function retireOptions(
  runs: RepositoryRuns,
  { runId, olderThan }: { readonly runId?: string | undefined; readonly olderThan?: number | undefined },
): Promise<Pick<RetireOptions, "runIds" | "olderThanDays">> {
  if (runId === undefined && olderThan === undefined)
    fail("invalid_input", "Say which runs are meant.", { remedy: "Name a run, or say --older-than DAYS." });
  // A run that is missing can only be named whole.
  const whole = /^run_[a-z0-9]{20,}$/;
  const found = runId === undefined || whole.test(runId) ? runId : await runs.find(runId);
  return { runIds: found === undefined ? [] : [found], olderThanDays: olderThan };
}

export const runsArchive = define({
  name: "runs archive",
  group: "Decide",
  summary: "Write runs that are over to one signed file each, and remove them from the store",
  more: "Each file is read back and verified before anything is removed. Verify one anywhere: thehood log verify --archive FILE --key KEY. Kept work stays (thehood prune).",
  examples: ["thehood runs archive --older-than 90", "thehood runs archive run_0mwh --to ~/archive"],
  effect: "decides",
  input: {
    ...retireFields,
    to: optional(text("the folder for the files (default: archive/ beside the store)", { cli: { value: "dir" } })),
  },
  async handle({ to, ...named }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return runs.retire({ ...(await retireOptions(runs, named)), archive: true, folder: to });
  },
  cli: { args: ["runId"] },
});

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
  cli: { args: ["runId"] },
});
