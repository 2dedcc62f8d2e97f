// The ends of a run: the report with its claims, the progress packet, completion. A run that only reads captures git's
// state once more before it ends, so that its report can show that nothing was changed.
import type { RunEvent, StopReason } from "../../contract/index.ts";
import { openDoubts } from "../review/doubts.ts";
import { buildFinalReport, closingDoubts, type RunEnding } from "../view/final-report.ts";
import { buildProgressPacket } from "../view/progress-packet.ts";
import { type Decision, type MachineDeps, jsonArtifact, markdownArtifact } from "../decision.ts";
import type { Run, Delegating, Planning, Verifying } from "../state/index.ts";
import { failRun, enter } from "../transition.ts";
import { acceptedOf, counted, passAt, unchangedReason } from "../facts/index.ts";
import { nextForReview } from "../next/work.ts";

type Closing = Pick<RunEnding, "state" | "failureClass" | "by"> & { readonly stopReason: StopReason };

const attempts = ["no", "first", "second", "third", "fourth", "fifth"];

/** Written by the runtime. Texts of agents follow further down in the report, with their authors. */
function summaryOf(run: Run, { state, stopReason, by }: Closing): string {
  const tries = run.passes.length - 1;
  const calls = counted(run.spent.responses, "model call");
  const attempt = attempts[tries] === undefined || tries === 0 ? `attempt ${tries}` : `the ${attempts[tries]} attempt`;
  if (state !== "completed") return `Not done after ${counted(tries, "attempt")} (${calls}).`;
  if (stopReason === "no_change") return `Done: nothing had to be changed, and the verifier agrees (${calls}).`;
  if (run.created.mode !== "implement" || tries === 0) return `Done (${calls}).`;
  return by === "user"
    ? `Done: you took the work as it is, ${attempt} (${calls}).`
    : `Done: the verifier approved ${attempt} (${calls}).`;
}

function closing(run: Run, ending: Closing, deps: MachineDeps) {
  const summary = summaryOf(run, ending);
  const { report, markdown, proven, unproven } = buildFinalReport(run, { ...ending, summary });
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

/** Work that the runtime has doubts about is done, and is no plain success (B-26). */
const endOf = (run: Run, stopReason: StopReason): StopReason =>
  stopReason === "success" && openDoubts(run, closingDoubts(run)).length > 0 ? "completed_with_doubts" : stopReason;

export function complete(run: Run, wanted: StopReason, by: string, deps: MachineDeps): Decision {
  const stopReason = endOf(run, wanted);
  const { events, artifacts, title } = closing(run, { state: "completed", stopReason, failureClass: null, by }, deps);
  return { events: [...events, { type: "run_completed", stopReason, by, summary: title }], artifacts };
}

/**
 * A run that was to change something and changed nothing does not succeed, whatever its reviewers answer (B-9). Where the
 * worker gives a reason and the verifier agrees, nothing to do is a good end of its own (B-29).
 */
export function endUnchanged(run: Run, deps: MachineDeps): Decision {
  if (unchangedReason(run) !== null) return complete(run, "no_change", "verifier", deps);
  const failureClass = "ambiguous_goal";
  const ending = { state: "failed", stopReason: "no_change", failureClass, by: "runtime" } as const;
  const { events, artifacts } = closing(run, ending, deps);
  const failed = failRun(
    "no_change",
    failureClass,
    "The run changed nothing.",
    "Read the report: the goal may be met already. If it is not, say in a new goal what must be different.",
  );
  return { events: [...events, ...failed.events], artifacts };
}

/** The role that answered last, and whether it handed the work to a worker. */
function ending(run: Run): { stopReason: "success" | "handoff_plan"; by: string } {
  const last = run.calls.findLast(({ record }) => record.lane === "main" && acceptedOf(run, record.callId));
  const brief = acceptedOf(run, last?.record.callId ?? null)?.brief;
  const handed = brief !== null && brief !== undefined && "action" in brief && brief.action === "delegate";
  return { stopReason: handed ? "handoff_plan" : "success", by: last?.record.role ?? "runtime" };
}

export function finishReading(run: Run, phase: Planning | Delegating, deps: MachineDeps): Decision {
  if (run.inspection?.git) return enter<Planning | Delegating>(run, phase, "verifying", "the answer is in");
  const { stopReason, by } = ending(run);
  return complete(run, stopReason, by, deps);
}

export function whileVerifyingReadOnly(run: Run, phase: Verifying, deps: MachineDeps): Decision | null {
  if (nextForReview(run, phase) || !passAt(run, phase.pass).evidence) return null;
  const { stopReason, by } = ending(run);
  return complete(run, stopReason, by, deps);
}
