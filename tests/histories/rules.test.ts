// The rules of this version, followed along recorded histories: where a rule of this version has a next step, the
// history must show that step. So a run of an older version, continued by this one, goes the way it was begun.
import { describe, expect, it } from "vitest";
import type { Recorded, RunEvent, RunEventType } from "../../src/core/contract/index.ts";
import { type Run, fold } from "../../src/core/machine/index.ts";
import { nextStep } from "../../src/core/machine/rules/next-step.ts";
import { deps } from "../support/play.ts";
import { histories, readHistory } from "./recorded.ts";

/** Kinds of events that only rules write: none of them may stand in a history without a rule that leads to it. */
const writtenByRules: readonly RunEventType[] = [
  "state_changed",
  "review_routing_decided",
  "critic_trigger_written",
  "validation_evidence_captured",
  "repo_context_requested",
  "run_completed",
  "final_report_written",
];

/** The meaning of an event, without words and hashes that a later version may choose otherwise. */
function meaningOf(event: RunEvent): string {
  switch (event.type) {
    case "state_changed":
      return `${event.type} ${event.from} ${event.to} ${event.pass}`;
    case "agent_asked":
      return `${event.type} ${event.call.lane} ${event.call.role} ${event.call.phase}`;
    case "approval_required":
    case "approval_auto_approved":
      return `${event.type} ${event.gate.kind}`;
    case "revision_packet_written":
      return `${event.type} ${event.packet.reasonCode}`;
    case "finding_recorded":
      return `${event.type} ${event.finding.kind}`;
    case "review_routing_decided":
      return `${event.type} ${event.routing.tier} ${event.routing.action}`;
    case "run_completed":
      return `${event.type} ${event.stopReason}`;
    case "run_failed":
      return `${event.type} ${event.stopReason} ${event.failureClass}`;
    default:
      return event.type;
  }
}

/** The places of the events that a rule of this version leads to as well. */
function ledByRules(events: readonly Recorded[]): Set<number> {
  const led = new Set<number>();
  for (let place = 1; place < events.length; place += 1) {
    const run = fold(events.slice(0, place)) as Run;
    const step = nextStep(run, deps)?.events ?? [];
    const said = events.slice(place, place + step.length).map(({ event }) => meaningOf(event));
    if (step.length === 0 || step.map(meaningOf).join("\n") !== said.join("\n")) continue;
    for (let index = 0; index < step.length; index += 1) led.add(place + index);
  }
  return led;
}

const missing = (events: readonly Recorded[]): string[] => {
  const led = ledByRules(events);
  return events.flatMap(({ seq, event }, place) =>
    writtenByRules.includes(event.type) && !led.has(place) ? [`${seq} ${meaningOf(event)}`] : [],
  );
};

describe("the rules of this version on recorded histories", () => {
  it.each(histories)("[R-71] $version $name is led the same way", ({ file }) => {
    const events = readHistory(file);
    // A person's `revise` leads to a new phase by a command, and not by a rule.
    const byCommand = events.flatMap(({ event, seq }) =>
      event.type === "approval_recorded" && event.approval.answer === "revise" ? [seq] : [],
    );
    const unexplained = missing(events).filter(
      (line) => !byCommand.some((seq) => Number.parseInt(line, 10) > seq && Number.parseInt(line, 10) <= seq + 4),
    );
    expect(unexplained).toEqual([]);
  });

  it.each(histories)("[R-71] $version $name comes to rest where it ended", ({ file }) => {
    expect(nextStep(fold(readHistory(file)) as Run, deps)).toBeNull();
  });

  it("[R-71] a history that goes another way than the rules is found", () => {
    const events = readHistory(histories.find(({ name }) => name === "implemented")?.file ?? "");
    const place = events.findIndex(({ event }) => event.type === "review_routing_decided");
    const routed = events[place];
    if (routed?.event.type !== "review_routing_decided") throw new Error("no routing");
    const other = { ...routed.event, routing: { ...routed.event.routing, tier: "low" as const } };
    const bad = events.with(place, { ...routed, event: other });
    expect(missing(bad)).toContain(`${routed.seq} ${meaningOf(other)}`);
  });
});
