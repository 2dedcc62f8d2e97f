// A run by its id, a unique beginning of it, or the newest one. Ids are checked before they reach a query.
import { fail, idPattern, type EventLog } from "../../core/contract/index.ts";

const beginning = /^(?:run_)?[a-z0-9]{1,48}$/;
/** How far back a beginning is looked up; a whole id is found however old it is. */
const searched = 1_000;

/** Clocks of machines that share a store differ a little. */
const toleranceMs = 60_000;

/** A run from the future was made on a clock that was ahead: then the newest run by the clock may be an old one. */
function unsure(runId: string): never {
  return fail("invalid_input", `The clock was moved since ${runId} was made, so the newest run is not known.`, {
    remedy: "Name the run that you mean; list them: thehood status",
  });
}

export async function findRun(log: EventLog, id?: string, now: () => number = Date.now): Promise<string> {
  if (id === undefined) {
    const newest = (await log.list({ limit: 1 }))[0];
    if (newest && newest.createdAt > now() + toleranceMs) unsure(newest.runId);
    return (
      newest?.runId ??
      fail("not_found", "There are no runs here yet.", {
        remedy: 'Start one: thehood run "what you want done"',
      })
    );
  }
  if (!beginning.test(id))
    fail("invalid_input", `"${id.slice(0, 60)}" is not a run id.`, {
      remedy: "Run ids look like run_… ; list them: thehood status",
    });
  const wanted = id.startsWith("run_") ? id : `run_${id}`;
  if (idPattern.test(wanted) && (await log.row(wanted))) return wanted;
  const matches = (await log.list({ limit: searched })).filter((row) => row.runId.startsWith(wanted));
  const [only, other] = matches;
  if (!only)
    fail("not_found", `There is no run ${id}.`, {
      remedy: "List runs: thehood status. One of another repository is named there, or with --repo FOLDER.",
    });
  if (other)
    fail("invalid_input", `${id} is the beginning of ${matches.length} runs.`, {
      remedy: `Say more of it: ${matches
        .slice(0, 3)
        .map((row) => row.runId)
        .join(", ")}`,
    });
  return only.runId;
}
