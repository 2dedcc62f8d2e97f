// A crew in which some roles were named and others are lacking: a run's missing roles are found on this machine.
import { FailureError, type RunMode } from "../contract/index.ts";
import { type Agent, anotherModel, vendorOf } from "./agent.ts";
import { assignmentsOf, isUnassigned, knownOf, type RoleChoice, type Crew, type Resolutions } from "./crew.ts";
import { choiceOf, findCrew, leadersOf, ownChoice, type FoundChoice } from "./found.ts";

/** The role that answers first in a mode that only reads; without it the orchestrator does. */
const firstReader = { plan: "planner", research: "researcher", review: "critic" } as const;

/** No found agent is added to a crew with a stand-in like the stub. */
const hasStandIn = (crew: Crew, resolutions: Resolutions): boolean =>
  assignmentsOf(crew).some((assignment) => knownOf(resolutions, assignment)?.modelBacked === false);

/** Whether a run of this mode needs a role without a named agent: then the agents of this machine are examined. */
export function lacksRoles(crew: Crew, mode: RunMode, resolutions: Resolutions): boolean {
  if (hasStandIn(crew, resolutions)) return false;
  if (mode !== "implement") return !crew[firstReader[mode]] && !crew.orchestrator;
  return !crew.implementer || !crew.verifier || !crew.orchestrator;
}

/** Another agent than the named one: of another vendor, else another model that is surely not the same. */
function counterpart(named: RoleChoice, agents: readonly Agent[], resolutions: Resolutions): FoundChoice | undefined {
  const known = knownOf(resolutions, named.assignment);
  if (!known) return undefined;
  const vendor = vendorOf({ id: known.provider });
  const other = leadersOf(agents).find((agent) => vendorOf(agent) !== vendor);
  if (other) return ownChoice(other, `a model of another vendor than ${vendor}`);
  const same = agents.find(({ id }) => id === known.provider);
  const model = same && anotherModel(same, known.identity);
  return model && choiceOf(same, model, "another model of the same vendor");
}

function foundPair(agents: readonly Agent[]): Pick<Crew, "implementer" | "verifier"> {
  try {
    const { implementer, verifier } = findCrew(agents, "implement");
    return { ...(implementer ? { implementer } : {}), ...(verifier ? { verifier } : {}) };
  } catch (error) {
    if (error instanceof FailureError) return {};
    throw error;
  }
}

function missingWorkers({ implementer, verifier }: Crew, agents: readonly Agent[], resolutions: Resolutions): Crew {
  if (!implementer && !verifier) return foundPair(agents);
  if (implementer && verifier) return {};
  const [role, named] = implementer ? (["verifier", implementer] as const) : (["implementer", verifier] as const);
  const found = named && counterpart(named, agents, resolutions);
  return found ? { [role]: found } : {};
}

/** The named crew with the roles it lacks. A role for which no agent is found stays open. */
export function fillCrew(crew: Crew, mode: RunMode, resolutions: Resolutions, agents: readonly Agent[]): Crew {
  if (!lacksRoles(crew, mode, resolutions)) return crew;
  const filled: Crew = {
    ...crew,
    ...(mode === "implement" ? missingWorkers(crew, agents, resolutions) : {}),
  };
  if (filled.orchestrator) return filled;
  const [first] = leadersOf(agents);
  const leader: RoleChoice | undefined = filled.implementer
    ? { assignment: filled.implementer.assignment, source: "found", why: "the implementer's agent" }
    : first && ownChoice(first, "installed and logged in");
  return leader ? { ...filled, orchestrator: leader } : filled;
}

/** The crew that would play now: the named one, filled; without any name the found one; none when neither can be. */
export function effectiveCrew(crew: Crew, resolutions: Resolutions, agents: readonly Agent[]): Crew {
  // The problem of a named assignment is shown beside its name.
  if (assignmentsOf(crew).some((assignment) => !knownOf(resolutions, assignment))) return crew;
  if (!isUnassigned(crew)) return fillCrew(crew, "implement", resolutions, agents);
  try {
    return findCrew(agents, "implement");
  } catch (error) {
    if (error instanceof FailureError) return crew;
    throw error;
  }
}
