// The completion of a run: the report with its claims, the progress packet, completion.
import type { StopReason } from "../../contract/index.ts";
import { buildFinalReport } from "../view/final-report.ts";
import { buildProgressPacket } from "../view/progress-packet.ts";
import { type Output, type World, jsonArtifact, markdownArtifact } from "../output.ts";
import type { Run } from "../state/index.ts";

export function complete(run: Run, stopReason: StopReason, by: string, world: World): Output {
  // The runtime's own words: words of agents stand further down, as theirs.
  const summary = `Ended by ${by} after ${run.passes.length - 1} pass(es) of work and ${run.spent.responses} answers.`;
  const ending = { state: "completed", stopReason, by, summary };
  const { report, markdown, proven, unproven } = buildFinalReport(run, ending);
  const title = `final report: ${stopReason}, ${proven} claims proven, ${unproven} not`;
  const json = jsonArtifact(world, "report", report, title);
  const text = markdownArtifact(world, "report", markdown, `${title} (Markdown)`);
  const packet = jsonArtifact(
    world,
    "progress",
    { ...buildProgressPacket(run, report), finalReport: json.ref.ref },
    `progress packet of ${run.runId}`,
  );
  return {
    events: [
      { type: "final_report_written", report: json.ref, markdown: text.ref, proven, unproven },
      { type: "progress_packet_written", packet: packet.ref },
      { type: "run_completed", stopReason, by, summary: title },
    ],
    artifacts: [json, text, packet],
  };
}
