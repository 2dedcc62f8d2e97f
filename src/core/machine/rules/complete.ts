// The completion of a run: the report with its claims, the progress packet, completion.
import type { RunEvent, StopReason } from "../../contract/index.ts";
import { buildFinalReport } from "../view/final-report.ts";
import { buildProgressPacket } from "../view/progress-packet.ts";
import { type Decision, type MachineDeps, jsonArtifact, markdownArtifact } from "../decision.ts";
import type { Run } from "../state/index.ts";
import { failRun } from "../transition.ts";

function closing(run: Run, state: string, stopReason: StopReason, by: string, deps: MachineDeps) {
  // The runtime's own words: words of agents stand further down, as theirs.
  const passes = run.passes.length - 1;
  const { responses } = run.spent;
  const answers = responses === 1 ? "1 answer" : `${responses} answers`;
  const summary = `Ended by ${by} after ${passes} ${passes === 1 ? "pass" : "passes"} of work and ${answers}.`;
  const { report, markdown, proven, unproven } = buildFinalReport(run, { state, stopReason, by, summary });
  const title = `final report: ${proven} of ${proven + unproven} claims proven`;
  const json = jsonArtifact(deps, "report", report, title);
  const text = markdownArtifact(deps, "report", markdown, `${title} (Markdown)`);
  const packet = jsonArtifact(
    deps,
    "progress",
    { ...buildProgressPacket(run, report), finalReport: json.ref.ref },
    `progress packet of ${run.runId}`,
  );
  const events: RunEvent[] = [
    { type: "final_report_written", report: json.ref, markdown: text.ref, proven, unproven },
    { type: "progress_packet_written", packet: packet.ref },
  ];
  return { events, artifacts: [json, text, packet], title };
}

export function complete(run: Run, stopReason: StopReason, by: string, deps: MachineDeps): Decision {
  const { events, artifacts, title } = closing(run, "completed", stopReason, by, deps);
  return { events: [...events, { type: "run_completed", stopReason, by, summary: title }], artifacts };
}

/** A run that was to change something and changed nothing is no success, whatever its reviewers say (B-9). */
export function endUnchanged(run: Run, deps: MachineDeps): Decision {
  const { events, artifacts } = closing(run, "failed", "no_change", "runtime", deps);
  const failed = failRun(
    "no_change",
    "ambiguous_goal",
    "The run changed nothing.",
    "Read the report: the goal may be met already. If it is not, say in a new goal what must be different.",
  );
  return { events: [...events, ...failed.events], artifacts };
}
