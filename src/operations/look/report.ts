// `report`: the final report of a run.
import { fail } from "../../contract/index.ts";
import { define } from "../context/index.ts";
import { latestRun } from "../runs/fields.ts";

export const report = define({
  name: "report",
  group: "Look",
  summary: "The final report of a run",
  examples: ["thehood report", "thehood report run_0mwh > report.md"],
  effect: "reads",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const written =
      (await runs.report(id)) ??
      fail("not_found", `Run ${id} has no final report: it is ${(await runs.status(id)).state}.`, {
        remedy: "Run",
        suggestions: [{ suggest: "status", runId: id }],
      });
    const read = async (ref: string) => new TextDecoder().decode((await runs.artifact(id, ref)).bytes);
    return {
      runId: id,
      markdown: await read(written.markdown.ref),
      /** The report as JSON, exactly as it was written. */
      report: await read(written.report.ref),
    };
  },
  cli: { words: ["runId"] },
});
