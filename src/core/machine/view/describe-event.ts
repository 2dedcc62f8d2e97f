// An event in words: one line for every surface, and the names under which readers of other tools look for it. An event
// that only a reader of the log needs is quiet. Other names are shown beside the event and never stored.
import {
  plainLine,
  roleTable,
  type CheckEvidence,
  type ReviewRouting,
  type RunEvent,
  type SideJob,
  type Recorded,
} from "../../contract/index.ts";

import { momentText } from "./moment.ts";
import { blindMeasure } from "../review/blind-measure.ts";

export type EventDescription = {
  readonly mark: "ok" | "bad" | "ask" | "info";
  readonly text: string;
  readonly quiet?: boolean;
};

/** Why the work is reviewed as it is, by what it does. The critic waits for a trigger, so its absence says nothing. */
function reviewText({ reasons, skipped }: ReviewRouting): string {
  const withoutQa = skipped.some(({ role }) => role === "qa") ? "; without QA" : "";
  return `review: ${plainLine(reasons.join("; "), 300)}${withoutQa}`;
}

export function describeEvent(event: RunEvent): EventDescription {
  switch (event.type) {
    case "run_created":
      return { mark: "info", text: `run ${event.runId} created: ${event.goal}` };
    case "run_ready":
      return {
        mark: "info",
        text: `looked at the repository${event.inspection.problems.length > 0 ? `: ${event.inspection.problems.join("; ")}` : ""}`,
        quiet: event.inspection.problems.length === 0,
      };
    case "approval_required":
      return { mark: "ask", text: `gate: ${event.gate.title}` };
    case "approval_recorded":
      return {
        mark: "ok",
        text: `${event.approval.answer} (${event.approval.kind}) by ${event.approval.by.kind}`,
      };
    case "approval_auto_approved":
      return { mark: "ok", text: `${event.gate.title}: allowed by your policy (${event.policyReason})` };
    case "provider_limited":
      return { mark: "ask", text: `waiting until ${momentText(event.until)} for a limit: ${event.why}` };
    case "provider_limit_over":
      return { mark: "info", text: "the limit is over" };
    case "message_received":
      return { mark: "info", text: `message of ${event.by.name ?? event.by.kind}: ${event.message.text}` };
    case "agent_asked":
      return { mark: "info", text: `${roleTable[event.call.role].label} is asked: ${event.why}` };
    case "agent_response":
      return answered(event);
    case "isolated_patch_captured":
      return event.patch
        ? { mark: "ok", text: `captured a change to ${event.patch.changedPaths.join(", ")}` }
        : { mark: "info", text: "the worker changed nothing" };
    case "integration_patch_prepared":
      return {
        mark: event.judgement.verdict === "reject" ? "bad" : "ok",
        text: `patch judged: ${event.judgement.verdict} (${event.judgement.reason})`,
      };
    case "patch_applied":
      return { mark: "ok", text: `applied to the checkout: ${event.integration.paths.join(", ")}` };
    case "git_evidence_captured":
      return {
        mark: "info",
        text: `files with uncommitted edits: ${event.evidence.changedPaths.length}; agents start from the last commit and do not see them`,
        quiet: event.moment !== "before" || event.evidence.changedPaths.length === 0,
      };
    case "integration_blocked":
      return { mark: "bad", text: `integration blocked: ${event.message}` };
    case "check_executed":
      return {
        mark: event.check.result === "passed" ? "ok" : event.check.variant === "base" ? "info" : "bad",
        text: `${event.check.argv.join(" ")} ${trees[event.check.variant]}: ${describeCheck(event.check)} (${Math.round(event.check.durationMs)} ms${event.check.reused ? ", measured earlier" : ""})`,
      };
    case "blind_tests_run":
      return {
        mark: event.tests.failing > 0 ? "ask" : event.tests.proving > 0 ? "ok" : "info",
        text: `blind tests: ${blindMeasure(event.tests)}`,
      };
    case "blind_tests_kept":
      return {
        mark: event.kept.left.length > 0 ? "ask" : "ok",
        text: `blind tests kept as files of yours: ${event.kept.paths.join(", ") || "none"}${event.kept.left.length > 0 ? `; not written: ${event.kept.left.join(", ")}` : ""}`,
      };
    case "checks_asked_again":
      return { mark: "info", text: "the checks are run again; no agent is called" };
    case "validation_waived":
      return { mark: "ask", text: `validation waived by the user: ${event.command}` };
    case "review_routing_decided":
      return {
        mark: "info",
        text: reviewText(event.routing),
      };
    case "critic_trigger_written":
      return { mark: "info", text: `critic: ${event.trigger.reasonCode}` };
    case "revision_packet_written":
      return { mark: "ask", text: `revision asked by ${event.packet.sourceRole}: ${event.packet.reason}` };
    case "finding_recorded":
      return { mark: event.finding.severity === "info" ? "info" : "ask", text: event.finding.message };
    case "final_report_written":
      return {
        mark: "ok",
        text: `report written: ${event.proven} of ${event.proven + event.unproven} claims proven`,
      };
    case "run_completed":
      return { mark: "ok", text: `completed (${event.stopReason})` };
    case "run_failed":
      return { mark: "bad", text: `failed (${event.stopReason}): ${event.message}` };
    case "run_aborted":
      return { mark: "bad", text: `aborted (${event.stopReason}): ${event.message}` };
    case "request_opened":
      return { mark: "ok", text: `pushed to ${event.request.branch}: ${event.request.url ?? event.request.remote}` };
    case "ci_recorded":
      return {
        mark: event.ci.state === "failed" ? "bad" : event.ci.state === "passed" ? "ok" : "info",
        text: `CI about ${event.ci.commit.slice(0, 12)}: ${event.ci.state === "none" ? "no checks" : event.ci.state}`,
      };
    case "undo_requested":
      return { mark: "info", text: "the work is to be undone", quiet: true };
    case "work_taken_out":
      return {
        mark: "ok",
        text: `undone: ${event.taken.paths.join(", ") || "nothing was left of it"}`,
      };
    case "undo_blocked":
      return { mark: "bad", text: `not undone: ${event.message}` };
    case "state_changed":
      return { mark: "info", text: `${event.from} → ${event.to}: ${event.why}`, quiet: true };
    case "side_requested":
      return { mark: "info", text: `asked beside the loop: ${describeJob(event.job)}`, quiet: true };
    case "command_executed":
      return {
        mark: event.command.exitCode === 0 ? "ok" : "bad",
        text: `${event.command.argv.join(" ")}: ${event.command.exitCode === null ? event.command.ended : `exit ${event.command.exitCode}`} (${Math.round(event.command.durationMs)} ms, ${event.command.permission.class}, sandbox: ${event.command.sandbox})`,
      };
    case "side_completed":
      return {
        mark: event.outcome === "completed" ? "ok" : "bad",
        text: `${event.outcome}: ${event.why}`,
        quiet: true,
      };
    default:
      return { mark: "info", text: event.type.replaceAll("_", " "), quiet: true };
  }
}

const trees: Readonly<Record<CheckEvidence["variant"], string>> = {
  base: "on the base tree",
  patched: "on the changed tree",
  guarded: "on the changed tree with the old tests",
};

const resultTexts: Readonly<Record<CheckEvidence["result"], string>> = {
  passed: "passed",
  failed: "failed",
  timed_out: "timed out",
  not_started: "could not run",
  nothing_ran: "ran no test",
};

/** The result, and the reason where the check neither passed nor failed plainly. */
const describeCheck = ({ result, note }: CheckEvidence): string =>
  note === null || result === "passed" ? resultTexts[result] : `${resultTexts[result]}: ${plainLine(note, 200)}`;

function describeJob(job: SideJob): string {
  switch (job.job) {
    case "summon":
      return `${job.request.kind} by ${roleTable[job.request.role].label}`;
    case "reconcile":
      return `reconciliation by ${roleTable[job.role].label}`;
    case "exec":
      return job.requestedBy ? `the verifier's command ${job.argv.at(-1) ?? ""}` : job.argv.join(" ");
    case "evidence":
      return "git evidence";
  }
}

function answered(event: Extract<RunEvent, { type: "agent_response" }>): EventDescription {
  const who = roleTable[event.role].label;
  const { outcome } = event;
  if (outcome.result !== "accepted")
    return {
      mark: "bad",
      text: `${who}: ${outcome.result}${"why" in outcome ? ` (${outcome.why})` : ` (${outcome.reason}: ${outcome.problems.join("; ")})`}`,
    };
  const verdict =
    outcome.brief && "verdict" in outcome.brief
      ? ` [${outcome.brief.verdict}]`
      : outcome.brief && "action" in outcome.brief
        ? ` [${outcome.brief.action}]`
        : "";
  const mark =
    outcome.status !== "ok"
      ? "bad"
      : verdict === " [revise]" || verdict === " [needs_revision]" || verdict === " [ask_user]"
        ? "ask"
        : "ok";
  return { mark, text: `${who}${verdict}: ${outcome.summary}` };
}

type Response = Extract<RunEvent, { type: "agent_response" }>;

function ofResponse({ outcome, role, lane, artifacts }: Response, job: SideJob | undefined): string[] {
  const accepted = outcome.result === "accepted";
  const answered = accepted || outcome.result === "refused";
  const beside = job?.job === "reconcile" ? "reconciliation_response" : "summon_response";
  return [
    answered ? "provider_wait_completed" : "provider_wait_failed",
    ...(artifacts.some(({ kind }) => kind === "provider_invocation") ? ["local_agent_command_completed"] : []),
    ...(lane === "side" && answered ? [beside] : []),
    ...(lane === "main" && accepted && role === "qa" ? ["qa_tester_completed"] : []),
    ...(lane === "main" && accepted && role === "critic" ? ["critic_completed"] : []),
  ];
}

function ofSideEnd(job: SideJob | undefined, outcome: string): string[] {
  if (job?.job === "summon") return ["summon_completed"];
  return job?.job === "reconcile" && outcome !== "completed" ? ["reconciliation_blocked"] : [];
}

/** The events of a run from its first one, each with its other names where it has some. */
export function withOtherNames<T extends Recorded>(
  events: readonly T[],
): (T & { readonly alsoKnownAs?: readonly string[] })[] {
  const jobs = new Map<string, SideJob>();
  const calls = new Map<string, string | null>();
  return events.map((one) => {
    const { event } = one;
    if (event.type === "side_requested") jobs.set(event.job.id, event.job);
    if (event.type === "agent_asked") calls.set(event.call.callId, event.call.sideId);
    const names = namesOf(event, (id) => jobs.get(id ?? ""), calls);
    return names.length === 0 ? one : { ...one, alsoKnownAs: names };
  });
}

function namesOf(
  event: RunEvent,
  jobOf: (sideId: string | null | undefined) => SideJob | undefined,
  calls: ReadonlyMap<string, string | null>,
): string[] {
  switch (event.type) {
    case "agent_asked":
      return event.call.purpose === "summon" ? ["agent_summoned"] : [];
    case "provider_wait_posted":
      return ["provider_wait_started"];
    case "agent_response":
      return ofResponse(event, jobOf(calls.get(event.callId)));
    case "patch_applied":
      return ["integration_report_written"];
    case "side_completed":
      return ofSideEnd(jobOf(event.sideId), event.outcome);
    default:
      return [];
  }
}
