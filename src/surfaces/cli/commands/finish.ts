// What is printed when a run has been moved as far as it goes: its report, its gate, or why it stopped.
import type { LoopEnd, RepositoryRuns } from "../../../operations/index.ts";
import { attended } from "../../../operations/runs/index.ts";
import type { Call } from "../spec.ts";
import { createStyle, type Style } from "../style.ts";
import { lastAnswer } from "./answer-text.ts";
import { exitOf, type Wanted } from "./exit.ts";
import { shownGates } from "./gate-detail.ts";
import { showProgress } from "./progress.ts";
import { statusText } from "./run-text.ts";

export interface Driving {
  readonly maxCycles?: number | undefined;
  readonly waitMs?: number | undefined;
  readonly wanted?: Wanted;
}

/** Advances a run, shows how it goes, prints how it ended, answers the exit code. */
export async function driveRun(
  call: Call,
  desk: RepositoryRuns,
  runId: string,
  { wanted, ...how }: Driving = {},
): Promise<number> {
  let end: LoopEnd;
  {
    using progress = showProgress(call);
    end = await desk.loop(runId, {
      ...how,
      besideOnly: wanted === "beside",
      signal: call.signal,
      watcher: progress.watcher,
    });
  }
  await printEnd(call, desk, end, wanted);
  return exitOf(end, wanted);
}

export async function printEnd(
  call: Call,
  desk: RepositoryRuns,
  end: LoopEnd,
  wanted?: Wanted,
): Promise<void> {
  const exit = exitOf(end, wanted);
  const status = await attended(desk, end.runId, async () => end.status);
  if (call.json) {
    call.io.out(call.jsonLine({ ok: exit === 0, stop: end.stop, ...status }));
    return;
  }
  const style = createStyle(call.io.color);
  if (end.status.state === "completed") call.io.out(await reportText(desk, end.runId, style));
  const gates = await shownGates(desk, end.runId, style);
  call.io.out(`\n${statusText(status, gates, style, call.spell, call.verbose)}`);
}

/** The report; of a run that only reads, what it found out comes first. */
export async function reportText(desk: RepositoryRuns, runId: string, style: Style): Promise<string> {
  const written = await desk.report(runId);
  if (!written) return "";
  const report = new TextDecoder().decode((await desk.artifact(runId, written.markdown.ref)).bytes);
  const { mode } = await desk.status(runId);
  const answer = mode === "implement" ? "" : await lastAnswer(desk, runId, style);
  return answer === "" ? report : `${answer}\n\n${report}`;
}
