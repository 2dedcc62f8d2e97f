// Taking a run up again, and ending one.
import { z } from "zod";
import { operation } from "../operation.ts";
import { move, runId, standing, waitSeconds } from "./follow.ts";

export const resume = operation(z.strictObject({ runId, waitSeconds }), async (input, asking) => {
  await using desk = await asking.given.runs(asking.repo);
  const id = await desk.find(input.runId);
  const from = (await desk.status(id)).counts.events;
  if (!(await desk.idle(id))) await move(asking, desk, id, input.waitSeconds, from);
  return standing(desk, id);
});

export const abort = operation(
  z.strictObject({ runId, reason: z.string().max(4_000).default("").describe("Why; kept in the record.") }),
  async (input, asking) => {
    await using desk = await asking.given.runs(asking.repo);
    const id = await desk.find(input.runId);
    await desk.submit(id, { type: "abort", reason: input.reason, by: asking.by });
    // What is left to do is to retire the workspace, so that the work is pinned and nothing lies around.
    if (!(await desk.idle(id))) await move(asking, desk, id, 10, (await desk.status(id)).counts.events);
    return standing(desk, id);
  },
);
