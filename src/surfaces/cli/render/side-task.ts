// The side tasks of a run: opinions, evidence, commands.
import {
  answerText,
  type SideTaskOutcome,
  type Executed,
  type SideResult,
} from "../../../operations/run-data/index.ts";
import type { RepositoryRuns } from "../../../operations/index.ts";
import type { Style } from "../../argv/index.ts";
import { printStatus, statusJson } from "./run.ts";
import { renders } from "./view.ts";

async function resultText(
  runs: RepositoryRuns,
  runId: string,
  { outcome, why, artifact }: SideResult,
  style: Style,
): Promise<string> {
  const answer = artifact === null ? "" : await answerText(runs, runId, artifact);
  const whole =
    artifact === null ? "" : `\n${style.dim(`whole: thehood show ${runId} --artifact ${artifact.slice(7, 19)}`)}`;
  return `${style.bold(outcome)}: ${answer === "" ? why : answer}${whole}\n`;
}

export const sideTask = renders<SideTaskOutcome>({
  json: ({ standing, results, gate }, _, exit) =>
    gate ? statusJson(standing, exit) : { schemaVersion: 1, ok: exit === 0, runId: standing.runId, results },
  async print({ standing, results, gate }, view) {
    if (gate) return printStatus(standing, view);
    const { context, io, style } = view;
    await using runs = await context.ports.runs(context.folder);
    for (const result of results) io.out(await resultText(runs, standing.runId, result, style));
  },
});

export const executed = renders<Executed>({
  json: ({ standing, command }, _, exit) =>
    command
      ? { schemaVersion: 1, ok: command.exitCode === 0, runId: standing.runId, ...command }
      : statusJson(standing, exit),
  async print({ standing, command }, view) {
    if (!command) return printStatus(standing, view);
    const { context, io } = view;
    await using runs = await context.ports.runs(context.folder);
    const printed = async (ref: { readonly ref: string } | null) =>
      ref ? (await runs.artifact(standing.runId, ref.ref)).bytes : new Uint8Array();
    io.bytes(await printed(command.stdout));
    io.err(new TextDecoder().decode(await printed(command.stderr)));
  },
});
