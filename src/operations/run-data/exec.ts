// A command of a person, run beside the loop and recorded.
import { fail, type CommandRecord } from "../../core/contract/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { sideResults, submitSideTask } from "./side-task.ts";
import { jobsAfter } from "./advance.ts";
import type { RunSnapshot } from "./snapshot.ts";

export interface Executed {
  readonly standing: RunSnapshot;
  /** Null when it waits for its own yes, or behind something that does. */
  readonly command: CommandRecord | null;
}

export async function runCommandSideTask(
  context: Context,
  input: {
    readonly runId: string;
    readonly argv: readonly string[];
    readonly cwd: string;
    readonly allowRisky: boolean;
  },
): Promise<Executed> {
  const [program, ...args] = input.argv;
  if (program === undefined || program === "")
    fail("invalid_input", "No command was given.", { remedy: "thehood exec RUN -- npm test" });
  // A whole line in quotes is the name of no program; as a command it would only wait for an approval that helps nobody.
  if (args.length === 0 && /\s/.test(program.trim()))
    fail("invalid_input", `There is no program with the name "${program.slice(0, 100)}".`, {
      remedy: `Leave out the quotes: thehood exec RUN -- ${program.trim().slice(0, 100)}. A line for the shell: thehood exec RUN -- sh -c '…'`,
    });
  await using runs = await context.ports.runs(context.folder);
  const { from, standing } = await submitSideTask(context, runs, input, async () => ({
    type: "exec",
    argv: [program, ...args],
    cwd: input.cwd,
    allowRisky: input.allowRisky,
    by: context.actor,
  }));
  const { runId } = standing;
  const ours = new Set((await jobsAfter(runs, runId, from)).map(({ id }) => id));
  const ran = (await runs.events(runId, from + 1)).flatMap(({ event }) =>
    event.type === "command_executed" && ours.has(event.sideId ?? "") ? [event.command] : [],
  );
  if (!ran[0]) await explainWaiting(context, runs, runId, from, ours);
  return { standing, command: ran[0] ?? null };
}

/** It waits for its own yes, or behind something that does, or its job ended before it could run. */
async function explainWaiting(
  context: Context,
  runs: RepositoryRuns,
  runId: string,
  from: number,
  ours: ReadonlySet<string>,
): Promise<void> {
  const [ended] = await sideResults(runs, runId, from);
  if (ended)
    fail("conflict", `The command was not run: ${ended.why}`, {
      remedy: "Look at what happened",
      suggestions: [{ suggest: "logs", runId }],
    });
  const before = (await runs.gates(runId)).find(({ lane }) => lane === "side");
  if (before && !ours.has(before.sideId ?? ""))
    context.tell(`· It was noted, and waits until the gate before it is answered: ${before.title}`);
}
