import { expect, it } from "vitest";
import { Play, autopilot, summonRequest } from "../../../../tests/support/play.ts";
import { withOtherNames } from "./describe-event.ts";

it("[R-71] events are shown under the names that readers of other tools know, and stay as they were recorded", () => {
  const play = new Play(
    { policy: autopilot },
    {
      replies: {
        verifier: [
          { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
          { payload: { verdict: "approve", summary: "yes" } },
        ],
      },
    },
  ).go();
  play.give({ type: "summon", request: summonRequest(), by: { kind: "person", surface: "cli" } }).go();
  const shown = withOtherNames(play.log);
  const names = new Set(shown.flatMap(({ alsoKnownAs = [] }) => alsoKnownAs));
  expect([...names].toSorted()).toEqual([
    "agent_summoned",
    "critic_completed",
    "integration_report_written",
    "provider_wait_completed",
    "provider_wait_started",
    "qa_tester_completed",
    "summon_completed",
    "summon_response",
  ]);
  expect(shown.map(({ seq, event }) => ({ seq, event }))).toEqual(play.log.map(({ seq, event }) => ({ seq, event })));
});
