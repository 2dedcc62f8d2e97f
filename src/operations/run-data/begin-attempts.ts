// Begins several attempts at one goal, each a run of its own with the same request and another implementer, and follows them
// until each has a result, waits for a person or has ended.
import { fail } from "../../core/contract/index.ts";
import type { Attempt } from "../../core/machine/view/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { attemptLines } from "./attempt-lines.ts";
import { attemptsOf } from "./attempts.ts";
import { inFolder, requested, type Driving, type RunOptions } from "./begin.ts";
import { runStatusOf, type RunSnapshot } from "./snapshot.ts";

export interface AttemptsWanted {
  readonly attempts: number | undefined;
  /** Teams, of which each gives its implementer, or agents. */
  readonly teams: readonly string[];
}

const mostAttempts = 8;
const lookMs = 500;

export function countOf({ attempts, teams }: AttemptsWanted): number {
  const count = attempts ?? teams.length;
  if (count < 2 || count > mostAttempts)
    fail("invalid_input", `${count} ${count === 1 ? "attempt is" : "attempts are"} not possible.`, {
      remedy: `Ask for 2 to ${mostAttempts}: --attempts 3, or name as many teams: --teams a,b`,
    });
  if (teams.length > 1 && teams.length !== count)
    fail("invalid_input", `${count} attempts and ${teams.length} teams do not fit.`, {
      remedy: "Name as many teams as attempts, or leave out --attempts.",
    });
  return count;
}

/** The implementer of each attempt; undefined for the one that the configuration names. */
async function implementersOf(
  teams: readonly string[],
  count: number,
  { ports, folder }: Pick<Context, "ports" | "folder">,
): Promise<readonly (string | undefined)[]> {
  const known = teams.some((name) => !name.includes(":")) ? await ports.setup.teams(folder) : [];
  const each = teams.map((name) => {
    if (name.includes(":")) return name;
    const team = known.find((one) => one.name === name);
    const implementer = team?.roles.implementer;
    return (
      implementer ??
      fail("invalid_input", team ? `The team ${name} names no implementer.` : `There is no team ${name}.`, {
        remedy: "See which there are: thehood teams. An agent (provider:model) may stand in the place of a team.",
      })
    );
  });
  return Array.from({ length: count }, (_, at) => each[at] ?? (each.length === 1 ? each[0] : undefined));
}

function refuseUnfit(options: RunOptions, { remote, needs }: Driving, teams: readonly string[]): void {
  if (options.mode !== "implement" || options.integrate === "early" || remote || needs)
    fail(
      "invalid_input",
      "Several attempts are for a run that edits here and is verified before its work is applied.",
      {
        remedy: "Leave out --mode, --integrate early, --remote and --needs.",
      },
    );
  if (teams.length > 0 && options.roles?.implementer !== undefined)
    fail("invalid_input", "--teams names the implementers already.", { remedy: "Leave out --implementer." });
}

/** A request that is refused in the middle leaves no attempt behind that would work. */
async function create(
  runs: RepositoryRuns,
  requests: readonly RunOptions[],
  onlyHere: boolean,
  context: Context,
): Promise<string[]> {
  const { actor, signal } = context;
  const ids: string[] = [];
  try {
    for (const [at, request] of requests.entries()) {
      const attempt = { number: at + 1, of: requests.length, ...(ids[0] === undefined ? {} : { group: ids[0] }) };
      const wanted = inFolder(requested({ ...request, attempt }), onlyHere, runs, context);
      ids.push(await runs.start(wanted, actor));
    }
  } catch (error) {
    for (const runId of ids) {
      await runs.submit(runId, { type: "abort", reason: "another attempt could not be created", by: actor });
      await runs.loop(runId, { signal });
    }
    throw error;
  }
  return ids;
}

export async function beginAttempts(
  options: RunOptions,
  wanted: { readonly count: number; readonly teams: readonly string[] },
  driving: Driving,
  context: Context,
): Promise<RunSnapshot> {
  const { count, teams } = wanted;
  refuseUnfit(options, driving, teams);
  const implementers = await implementersOf(teams, count, context);
  const [first] = teams;
  const team = options.team ?? (first !== undefined && !first.includes(":") ? first : undefined);
  const requests = implementers.map((implementer) => ({
    ...options,
    ...(team === undefined ? {} : { team }),
    ...(implementer === undefined ? {} : { roles: { ...options.roles, implementer } }),
  }));
  await using runs = await context.ports.runs(context.folder);
  const ids = await create(runs, requests, driving.onlyHere === true, context);
  const [one = ""] = ids;
  context.tell(`${count} attempts at this goal: ${ids.join(", ")}\nCompare them: thehood attempts`);
  const { noLoop = false, detach = false, maxCycles } = driving;
  if (noLoop) return runStatusOf(runs, one, "created");
  for (const runId of ids) await context.ports.detach(runs.repo, runId, { maxCycles });
  if (!detach) await follow(runs, ids, driving, context);
  return standingOf(runs, one, detach, context);
}

/** The table, and the status of the best. */
async function standingOf(
  runs: RepositoryRuns,
  runId: string,
  detach: boolean,
  context: Context,
): Promise<RunSnapshot> {
  if (detach) return runStatusOf(runs, runId, "created");
  const attempts = await attemptsOf(runs, runId);
  const best = attempts?.rows[0]?.runId ?? runId;
  if (attempts) context.tell(attemptLines(attempts).join("\n"));
  return runStatusOf(runs, best, "followed");
}

/** An attempt whose process is gone is not waited for. A process takes a moment to begin and to end. */
const graceMs = 20_000;

/** Until each attempt rests. At a terminal a question before the result is asked there, and the attempt goes on. */
async function follow(
  runs: RepositoryRuns,
  [first = ""]: readonly string[],
  { maxCycles }: Driving,
  context: Context,
): Promise<void> {
  const reported = new Map<string, string>();
  const left = new Set<string>();
  for (let movedAt = Date.now(); !context.signal.aborted;) {
    const rows = (await attemptsOf(runs, first))?.rows ?? [];
    for (const { runId, number, of, standing, doing } of rows) {
      const words = standing === "ready" ? "has a result" : doing;
      if (reported.get(runId) === words) continue;
      context.tell(`· attempt ${number} of ${of}: ${words}`);
      reported.set(runId, words);
      movedAt = Date.now();
    }
    const asking = rows.find(({ runId, standing }) => standing === "waits" && !left.has(runId));
    if (asking && context.showGate) {
      if ((await context.showGate(runs, asking.runId)) === null) left.add(asking.runId);
      else await context.ports.detach(runs.repo, asking.runId, { maxCycles });
      movedAt = Date.now();
      continue;
    }
    const working = rows.filter(({ standing }) => standing === "working");
    if (working.length === 0) return;
    if (Date.now() - movedAt > graceMs && !(await anyoneWorks(runs, working))) return;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

async function anyoneWorks(runs: RepositoryRuns, working: readonly Pick<Attempt, "runId">[]): Promise<boolean> {
  for (const { runId } of working) if ((await runs.holder(runId)) !== null) return true;
  return false;
}
