// Taking a run up again, and ending one.
import { z } from "zod";
import { operation } from "../operation.ts";
import { move, runId, standing, waitSeconds } from "./follow.ts";

export const resume = operation(z.strictObject({ runId, waitSeconds }), async (input, asking) => {
  await using desk = await asking.given.desk(asking.repo);
  const id = desk.find(input.runId);
  const from = desk.status(id).counts.events;
  if (!desk.idle(id)) await move(asking, desk, id, input.waitSeconds, from);
  return standing(desk, id);
});

export const abort = operation(
  z.strictObject({ runId, reason: z.string().max(4_000).default("").describe("Why; kept in the record.") }),
  async (input, asking) => {
    await using desk = await asking.given.desk(asking.repo);
    const id = desk.find(input.runId);
    await desk.submit(id, { type: "abort", reason: input.reason, by: asking.by });
    // What is left to do is to retire the workspace, so that the work is pinned and nothing lies around.
    if (!desk.idle(id)) await move(asking, desk, id, 10, desk.status(id).counts.events);
    return standing(desk, id);
  },
);
