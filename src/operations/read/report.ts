// `report`: the final report of a run.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { optional, text } from "../define/index.ts";
import { latestRun } from "../run-data/fields.ts";

export const report = define({
  name: "report",
  group: "Look",
  summary: "The final report of a run, as text or as one HTML page",
  more: "With --html the whole run goes into one file that opens offline on any machine: timeline, change, checks, claims with their evidence; secrets are taken out.",
  examples: [
    "thehood report",
    "thehood report run_0mwh > report.md",
    "thehood report --html",
    "thehood report run_0mwh --html run.html",
  ],
  effect: "reads",
  input: {
    runId: latestRun,
    html: optional(
      text("write the whole run as one page into this file (alone: RUN.html)", {
        only: "cli",
        cli: { value: "file", alone: "" },
      }),
    ),
  },
  async handle({ runId, html }, context) {
    if (html !== undefined) {
      const { readRunRecord } = await import("../run-data/record.ts");
      const record = await readRunRecord(context, runId);
      const { runId: id } = record.story;
      return { runId: id, page: await context.ports.savePage(html === "" ? `${id}.html` : html, record) };
    }
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const written = await runs.report(id);
    if (!written) {
      const derived = await runs.endReport(id);
      if (derived) return { runId: id, ...derived };
      const { state } = await runs.status(id);
      return fail("not_found", `Run ${id} has no final report yet: it is ${state}.`, {
        remedy: "Run",
        suggestions: [{ suggest: "status", runId: id }],
      });
    }
    const read = async (ref: string) => new TextDecoder().decode((await runs.artifact(id, ref)).bytes);
    return {
      runId: id,
      markdown: await read(written.markdown.ref),
      /** The report as JSON, exactly as it was written. */
      report: await read(written.report.ref),
    };
  },
  cli: { main: true, args: ["runId"] },
});
