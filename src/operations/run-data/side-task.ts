// Requests beside the loop of a run: they move nothing and satisfy nothing.
import {
  summonRequest,
  type Gate,
  type SideOutcome,
  type SummonRequest,
  type UserCommand,
} from "../../core/contract/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { runStatusOf, type RunSnapshot } from "./snapshot.ts";
import type { SummonItem } from "./fields.ts";

export interface SideResult {
  readonly sideId: string;
  readonly outcome: SideOutcome;
  readonly why: string;
  readonly artifact: string | null;
}

export interface SideTaskOutcome {
  readonly standing: RunSnapshot;
  readonly results: readonly SideResult[];
  /** How many side tasks have not ended. */
  readonly waiting: number;
  /** The gate beside the loop that waits for a person. */
  readonly gate: Gate | null;
}

export async function toSummon(runs: RepositoryRuns, { agent, persona, ...item }: SummonItem): Promise<SummonRequest> {
  return summonRequest.parse({
    ...item,
    persona: persona ?? null,
    agent: agent === undefined ? null : await runs.resolve(agent, "run"),
  });
}

/** The results in the events after `from`. */
export async function sideResults(runs: RepositoryRuns, runId: string, from: number): Promise<SideResult[]> {
  const events = await runs.events(runId, from + 1);
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

/** Submits a side task and performs it; returns the status of the run and the number of the last event before it. */
export async function submitSideTask(
  context: Context,
  runs: RepositoryRuns,
  input: { readonly runId: string | undefined; readonly waitSeconds?: number },
  command: (runs: RepositoryRuns) => Promise<UserCommand>,
): Promise<{ readonly from: number; readonly standing: RunSnapshot }> {
  const runId = await runs.find(input.runId);
  const from = (await runs.status(runId)).counts.events;
  await runs.submit(runId, await command(runs));
  const stop = await context.advance(runs, runId, {
    from,
    besideOnly: true,
    waitMs: 0,
    waitSeconds: input.waitSeconds,
  });
  return { from, standing: await runStatusOf(runs, runId, stop) };
}

export async function runSideTask(
  context: Context,
  input: { readonly runId: string | undefined; readonly waitSeconds?: number },
  command: (runs: RepositoryRuns) => Promise<UserCommand>,
): Promise<SideTaskOutcome> {
  await using runs = await context.ports.runs(context.folder);
  const asked = await submitSideTask(context, runs, input, command);
  const { runId } = asked.standing;
  const { sideTasks } = await runs.full(runId);
  return {
    standing: asked.standing,
    results: await sideResults(runs, runId, asked.from),
    waiting: sideTasks.filter(({ end }) => end === null).length,
    gate: (await runs.gates(runId)).find(({ lane }) => lane === "side") ?? null,
  };
}
