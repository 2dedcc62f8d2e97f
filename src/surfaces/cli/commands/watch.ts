// Following a run live: every event as it comes, and what the run waits for when none does.
import { exitCodes } from "../../../contract/index.ts";
import type { RepositoryRuns } from "../../../operations/index.ts";
import { isUnattended } from "../../../operations/runs/index.ts";
import { wholeNumber } from "../numbers.ts";
import type { CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";
import { eventLine } from "./event-line.ts";
import { movingLine } from "./moving-line.ts";

/** What holds it up now, with the command that goes on; empty while somebody is at work on it. */
async function heldUp(desk: RepositoryRuns, runId: string): Promise<string> {
  const [gate] = await desk.gates(runId);
  if (gate) return `waiting for you: ${gate.title} → thehood status ${runId}`;
  return (await isUnattended(desk, runId)) ? `nobody is at work on it → thehood continue ${runId}` : "";
}

export const watch: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    const style = createStyle(call.io.color);
    const { io } = call;
    using moving = movingLine(io, createStyle(io.color && io.live));
    let told = "";
    for await (const stored of desk.watch(runId, wholeNumber(call.flags, "from") ?? 1, call.signal)) {
      const line = call.json ? JSON.stringify(stored) : eventLine(stored, style, call.verbose);
      moving.clear();
      if (line !== null) io.out(`${line}\n`);
      const { counts, monitor } = await desk.status(runId);
      if (call.quiet || stored.seq < counts.events) continue;
      const held = await heldUp(desk, runId);
      if (io.live) moving.say(held || monitor.doing);
      else if (held !== "" && held !== told) io.err(`· ${held}\n`);
      told = held;
    }
    return exitCodes.ok;
  },
};
