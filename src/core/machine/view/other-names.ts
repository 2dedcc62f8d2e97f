// The names under which readers of other tools of this kind look for an event. They are told beside the event, never stored.
import type { Recorded, RunEvent, SideJob } from "../../contract/index.ts";

type Response = Extract<RunEvent, { type: "agent_response" }>;

function ofResponse({ outcome, role, lane, artifacts }: Response, job: SideJob | undefined): string[] {
  const accepted = outcome.result === "accepted";
  const answered = accepted || outcome.result === "refused";
  const beside = job?.job === "reconcile" ? "reconciliation_response" : "summon_response";
  return [
    answered ? "provider_wait_completed" : "provider_wait_failed",
    ...(artifacts.some(({ kind }) => kind === "provider_invocation")
      ? ["local_agent_command_completed"]
      : []),
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
