// The crew of a user who configured nothing: made of the agents found on this machine, and told with its reasons.
import type { Role, RunMode } from "../contract/index.ts";
import { isProgram, type Agent, type Model } from "./agent.ts";
import { byOrder, ownModel, twoModels, vendorOf } from "./models.ts";
import { refuseAlone, refuseNobody } from "./found-nobody.ts";

export interface FoundChoice {
  readonly assignment: string;
  readonly source: "found";
  readonly why: string;
}
export type FoundCrew = Partial<Record<Role, FoundChoice>>;

/** An agent with the model it would answer with. */
interface Candidate {
  readonly agent: Agent;
  readonly model: Model;
}

interface Pair {
  readonly worker: Candidate;
  readonly reviewer: Candidate;
  readonly why: string;
}

const canWork = ({ traits }: Agent): boolean => traits.edits !== "none";

/** A program, or a server on this machine that the user named: neither is paid for by the call. */
const leads = (agent: Agent): boolean => isProgram(agent) || agent.traits.boundary === "local";

/** Models behind a bare key are paid for by the call: they never lead, and only make up a pair. */
function usableOf(agents: readonly Agent[]): { leaders: Agent[]; all: Agent[] } {
  const able = agents.filter(({ usable, traits }) => usable === "yes" && traits.modelBacked);
  const leaders = byOrder(able.filter(leads));
  return { leaders, all: [...leaders, ...byOrder(able.filter((agent) => !leads(agent)))] };
}

/** Agents that may lead a crew here and now, in the order in which they are asked. */
export const leadersOf = (agents: readonly Agent[]): readonly Agent[] => usableOf(agents).leaders;

function candidate(agent: Agent | undefined): Candidate | undefined {
  const model = agent && ownModel(agent);
  return agent && model ? { agent, model } : undefined;
}

function ofTwoVendors(agents: readonly Agent[]): Pair | undefined {
  const worker = candidate(agents.find(canWork));
  const reviewer = candidate(agents.find((agent) => worker && vendorOf(agent) !== vendorOf(worker.agent)));
  if (!worker || !reviewer) return undefined;
  return { worker, reviewer, why: `a model of another vendor than ${vendorOf(worker.agent)}` };
}

function ofOneVendor(agents: readonly Agent[]): Pair | undefined {
  for (const agent of agents.filter(canWork)) {
    const pair = twoModels(agent);
    if (!pair) continue;
    const why = `another model: only ${vendorOf(agent)} is here`;
    return { worker: { agent, model: pair.worker }, reviewer: { agent, model: pair.reviewer }, why };
  }
  return undefined;
}

export const choiceOf = ({ health }: Agent, { assignment }: Model, why: string): FoundChoice => ({
  assignment,
  source: "found",
  why: health.version === null ? why : `${health.version}, ${why}`,
});

/** An agent with its own choice of model. */
export function ownChoice(agent: Agent, why: string): FoundChoice | undefined {
  const model = ownModel(agent);
  return model && choiceOf(agent, model, why);
}

function crewOf({ worker, reviewer, why }: Pair, leaders: readonly Agent[]): FoundCrew {
  const third = candidate(
    leaders.find((agent) => [worker, reviewer].every((taken) => vendorOf(taken.agent) !== vendorOf(agent))),
  );
  const works = choiceOf(worker.agent, worker.model, "installed and logged in");
  const reviews = choiceOf(reviewer.agent, reviewer.model, why);
  return {
    orchestrator: works,
    planner: works,
    researcher: works,
    implementer: works,
    qa: reviews,
    verifier: reviews,
    critic: third ? choiceOf(third.agent, third.model, "a third opinion") : reviews,
  };
}

const readers = ["orchestrator", "planner", "researcher", "qa", "critic"] as const;

/** Refuses when nobody is here, and when the only agent here would verify its own work. */
export function findCrew(agents: readonly Agent[], mode: RunMode): FoundCrew {
  const { leaders, all } = usableOf(agents);
  const [first] = leaders;
  if (!first) return refuseNobody(agents);
  const pair = ofTwoVendors(leaders) ?? ofOneVendor(leaders) ?? ofTwoVendors(all);
  if (pair) return crewOf(pair, leaders);
  const alone = ownChoice(first, "the only agent found here, and this mode only reads");
  if (mode === "implement" || !alone) return refuseAlone(first, agents);
  return Object.fromEntries(readers.map((role) => [role, alone]));
}
