// Beginning a run for a program that drives it: the same wishes as on the command line, without those that loosen anything.
import { z } from "zod";
import { assignment, role, type RunMode } from "../../contract/index.ts";
import { operation, type Asking } from "../operation.ts";
import { move, standing, waitSeconds } from "./follow.ts";
import { startRun, type StartRunInput } from "./start.ts";
import { parseInput } from "../parse.ts";

async function begin(asking: Asking, wishes: StartRunInput, seconds: number): Promise<unknown> {
  const request = parseInput(startRun, wishes, "This run cannot be started");
  await using desk = await asking.given.runs(asking.repo);
  const id = await desk.start(request, asking.by);
  await move(asking, desk, id, seconds, 0);
  return standing(desk, id);
}

/** Which checks count, what is waived and what may pass unasked is not for a program to say. */
const common = startRun
  .pick({ goal: true, constraints: true, acceptanceCriteria: true, maxIterations: true })
  .extend({ waitSeconds });

export const orchestrate = operation(
  common.extend(
    startRun.pick({
      mode: true,
      roles: true,
      allowedPaths: true,
      disallowedPaths: true,
      maxTokens: true,
      maxMinutes: true,
    }).shape,
  ),
  ({ waitSeconds: seconds, ...wishes }, asking) => begin(asking, wishes, seconds),
);

export const plan = operation(
  common.extend({ orchestrator: assignment.optional().describe("provider:model that plans, for this run.") }),
  ({ waitSeconds: seconds, orchestrator, ...wishes }, asking) =>
    begin(
      asking,
      {
        ...wishes,
        mode: "plan",
        ...(orchestrator ? { roles: { orchestrator, planner: orchestrator } } : {}),
      },
      seconds,
    ),
);

const consultable = role.extract(["orchestrator", "planner", "researcher", "qa", "critic"]);
const modeOf: Readonly<Record<z.infer<typeof consultable>, RunMode>> = {
  orchestrator: "plan",
  planner: "plan",
  researcher: "research",
  qa: "review",
  critic: "review",
};

export const consult = operation(
  startRun.pick({ goal: true, constraints: true }).extend({
    role: consultable.default("critic").describe("Who answers."),
    agent: assignment.optional().describe("provider:model for this call only."),
    waitSeconds,
  }),
  ({ waitSeconds: seconds, role: asked, agent, ...wishes }, asking) =>
    begin(
      asking,
      {
        ...wishes,
        mode: modeOf[asked],
        preferredRole: asked,
        ...(agent ? { roles: { [asked]: agent } } : {}),
      },
      seconds,
    ),
);
