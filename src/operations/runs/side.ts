// What is asked beside the loop of a run: it moves nothing and satisfies nothing.
import { z } from "zod";
import {
  assignment,
  summonKind,
  summonRequest,
  summonableRole,
  type SideOutcome,
  type SummonRequest,
  type UserCommand,
} from "../../contract/index.ts";
import type { RepositoryRuns } from "../runs-port.ts";
import { fit } from "../fit.ts";
import { operation, type Asking } from "../operation.ts";
import { parseInput } from "../parse.ts";
import { move, runId, standing, waitSeconds } from "./follow.ts";

export const summonItem = z.strictObject({
  role: summonableRole,
  brief: z.string().min(1).max(8_000).describe("What is asked."),
  kind: summonKind.default("review"),
  persona: z.string().max(500).nullable().default(null),
  constraints: z.array(z.string().max(1_000)).max(20).default([]),
  evidenceRefs: z.array(z.string().max(200)).max(20).default([]).describe("Artifacts to lay before it."),
  agent: assignment.optional().describe("provider:model for this call only."),
});

export async function toSummon(desk: RepositoryRuns, value: unknown): Promise<SummonRequest> {
  const { agent, ...rest } = parseInput(summonItem, value, "This cannot be asked");
  return summonRequest.parse({
    ...rest,
    agent: agent === undefined ? null : await desk.resolve(agent, "run"),
  });
}

/** What came of it, from the events after `from`. */
export async function sideResults(desk: RepositoryRuns, id: string, from: number): Promise<SideResult[]> {
  const events = await desk.events(id, from + 1);
  return (
    events
      .flatMap(({ event }) => (event.type === "side_completed" ? [event] : []))
      // In the order of asking, not of answering: their names count up.
      .toSorted((a, b) => (a.sideId < b.sideId ? -1 : 1))
      .map(({ sideId, outcome, why, artifact }) => ({
        sideId,
        outcome,
        why,
        artifact: artifact?.ref ?? null,
      }))
  );
}

export interface SideResult {
  readonly sideId: string;
  readonly outcome: SideOutcome;
  readonly why: string;
  readonly artifact: string | null;
}

async function ask(
  asking: Asking,
  input: { readonly runId: string; readonly waitSeconds: number },
  command: (desk: RepositoryRuns) => Promise<UserCommand>,
): Promise<unknown> {
  await using desk = await asking.given.runs(asking.repo);
  const id = await desk.find(input.runId);
  const from = (await desk.status(id)).counts.events;
  await desk.submit(id, await command(desk));
  await move(asking, desk, id, input.waitSeconds, from, { besideOnly: true });
  const results = await sideResults(desk, id, from);
  if (results.length === 0) return standing(desk, id);
  const { sideTasks } = await desk.full(id);
  const waiting = sideTasks.filter(({ end }) => end === null).length;
  const gate = (await desk.gates(id)).find(({ lane }) => lane === "side");
  const read = "thehood_read_artifact with an artifact of `results`.";
  return fit(
    {
      runId: id,
      results,
      waiting,
      gate: gate ? { id: gate.id, kind: gate.kind, title: gate.title } : null,
      read,
    },
    5_500,
  );
}

export const summon = operation(
  summonItem.extend({ runId, waitSeconds }),
  ({ runId: id, waitSeconds: seconds, ...request }, asking) =>
    ask(asking, { runId: id, waitSeconds: seconds }, async (desk) => ({
      type: "summon",
      by: asking.by,
      request: await toSummon(desk, request),
    })),
);

export const fanout = operation(
  z.strictObject({ runId, items: z.array(summonItem).min(1).max(8), waitSeconds }),
  (input, asking) =>
    ask(asking, input, async (desk) => ({
      type: "fanout",
      by: asking.by,
      items: await Promise.all(input.items.map((item) => toSummon(desk, item))),
    })),
);

export const reconcile = operation(
  z.strictObject({ runId, role: z.enum(["planner", "orchestrator"]).optional(), waitSeconds }),
  (input, asking) =>
    ask(asking, input, async () => ({ type: "reconcile", by: asking.by, role: input.role ?? null })),
);

export const captureEvidence = operation(
  z.strictObject({ runId, waitSeconds: waitSeconds.default(20) }),
  (input, asking) => ask(asking, input, async () => ({ type: "capture_evidence", by: asking.by })),
);
