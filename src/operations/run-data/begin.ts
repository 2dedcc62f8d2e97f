// Begins a run: the port freezes the options, agents that were found are reported before the first call, and the run
// advances as the caller advances runs.
import { assignableRoles } from "../../core/contract/index.ts";
import type { Context, RepositoryRuns, StartRun } from "../context/index.ts";
import { folderBelow } from "./only-here.ts";
import { runStatusOf, type RunSnapshot } from "./snapshot.ts";

export type RunOptions = Pick<StartRun, "goal" | "mode"> & Partial<StartRun>;

export interface Driving {
  readonly noLoop?: boolean | undefined;
  readonly maxCycles?: number | undefined;
  readonly waitSeconds?: number | undefined;
  /** A worker of the shared store advances it. */
  readonly remote?: boolean | undefined;
  /** It goes on in a process of its own. */
  readonly detach?: boolean | undefined;
  /** The label that the worker must have. */
  readonly needs?: string | undefined;
  /** Work and checks are those of the folder in which the user is. */
  readonly onlyHere?: boolean | undefined;
}

/** From the top of the repository; a `./` in front says nothing. */
const fromTop = (globs: readonly string[] = []) => globs.map((glob) => glob.replace(/^(\.\/)+/, ""));

export const requested = (options: RunOptions): StartRun => ({
  roles: {},
  constraints: [],
  acceptanceCriteria: [],
  checks: [],
  noChecks: false,
  waive: [],
  ...options,
  productPaths: fromTop(options.productPaths),
  allowedPaths: fromTop(options.allowedPaths),
  disallowedPaths: fromTop(options.disallowedPaths),
});

/** With `--only-here` work and checks are those of the folder in which the user is. */
export function inFolder(request: StartRun, onlyHere: boolean, runs: RepositoryRuns, context: Context): StartRun {
  if (!onlyHere) return request;
  const below = folderBelow(runs.repo, context.folder);
  return { ...request, checksBelow: below, allowedPaths: [...request.allowedPaths, `${below}/**`] };
}

export async function begin(
  options: RunOptions,
  { noLoop = false, maxCycles, waitSeconds, remote = false, detach = false, needs = "", onlyHere = false }: Driving,
  context: Context,
): Promise<RunSnapshot> {
  const fleet = remote ? await context.ports.fleet() : undefined;
  await fleet?.check(context.folder);
  await using runs = await context.ports.runs(context.folder);
  const runId = await runs.start(inFolder(requested(options), onlyHere, runs, context), context.actor);
  if (fleet) {
    await fleet.enlist(context.folder, runId, needs);
    context.tell(
      `The run waits for a worker of the shared store${needs === "" ? "" : ` with the label ${needs}`}. Follow it: thehood watch\nThe workers, and why a run does not move: thehood workers`,
    );
    return runStatusOf(runs, runId, "created");
  }
  await tellFound(runs, runId, context);
  if (noLoop) return runStatusOf(runs, runId, "created");
  if (detach) {
    await context.ports.detach(runs.repo, runId, { maxCycles });
    context.tell(
      `The run goes on without this terminal, and stops where it needs you.\nFollow it: thehood watch\nWhat needs you: thehood status`,
    );
    return runStatusOf(runs, runId, "created");
  }
  const stop = await context.advance(runs, runId, { from: 0, maxCycles, waitSeconds });
  return runStatusOf(runs, runId, stop);
}

/** Reports agents that were found on the machine; agents that the user named are not reported. */
async function tellFound(runs: RepositoryRuns, runId: string, context: Context): Promise<void> {
  const [first] = await runs.events(runId);
  if (first?.event.type !== "run_created") return;
  const { roles } = first.event;
  const lines = new Map<string, string[]>();
  for (const role of assignableRoles) {
    const seat = roles[role];
    if (seat?.source !== "found") continue;
    const agent = `${seat.assignment}${seat.why ? ` (${seat.why})` : ""}`;
    lines.set(agent, [...(lines.get(agent) ?? []), role]);
  }
  if (lines.size === 0) return;
  const seats = [...lines].map(([agent, names]) => `  ${agent}: ${names.join(", ")}`);
  const named = Object.values(roles).some(({ source }) => source !== "found");
  const why = named
    ? "Not everyone this run needs was named; these were found on this machine:"
    : "No agent is configured, so this run uses the agents found on this machine:";
  const how = "Choose yourself: thehood teams, or --implementer and --verifier.";
  context.tell([why, ...seats, how].join("\n"));
}
