// What is printed when a run has been moved as far as it goes: its report, its gate, or why it stopped.
import type { LoopEnd, RunDesk } from "../../../operations/index.ts";
import { attended } from "../../../operations/runs/index.ts";
import type { Call } from "../spec.ts";
import { createStyle, type Style } from "../style.ts";
import { lastAnswer } from "./answer-text.ts";
import { exitOf, type Wanted } from "./exit.ts";
import { gateDetail } from "./gate-detail.ts";
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
  desk: RunDesk,
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
  printEnd(call, desk, end, wanted);
  return exitOf(end, wanted);
}

export function printEnd(call: Call, desk: RunDesk, end: LoopEnd, wanted?: Wanted): void {
  const exit = exitOf(end, wanted);
  const status = attended(desk, end.runId, () => end.status);
  if (call.json) {
    call.io.out(`${JSON.stringify({ ok: exit === 0, stop: end.stop, ...status })}\n`);
    return;
  }
  const style = createStyle(call.io.color);
  if (end.status.state === "completed") call.io.out(reportText(desk, end.runId, style));
  call.io.out(
    `\n${statusText(status, desk.gates(end.runId), style, gateDetail(desk, end.runId, style), call.verbose)}`,
  );
}

/** The report; of a run that only reads, what it found out comes first. */
export function reportText(desk: RunDesk, runId: string, style: Style): string {
  const written = desk.report(runId);
  if (!written) return "";
  const report = new TextDecoder().decode(desk.artifact(runId, written.markdown.ref).bytes);
  const answer = desk.status(runId).mode === "implement" ? "" : lastAnswer(desk, runId, style);
  return answer === "" ? report : `${answer}\n\n${report}`;
}
