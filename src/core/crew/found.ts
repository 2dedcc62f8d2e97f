// The crew of a user who configured nothing, made of the agents found on this machine; or the refusal, with the reason of
// each agent and the remedies.
import { type Role, type RunMode, fail } from "../contract/index.ts";
import { isProgram, type Agent, type Model, byOrder, ownModel, twoModels, vendorOf, sentence } from "./agent.ts";

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

/** Refuses when no agent is usable, and when the only one would verify its own work. */
export function findCrew(agents: readonly Agent[], mode: RunMode): FoundCrew {
  const { leaders, all } = usableOf(agents);
  const [first] = leaders;
  if (!first) return refuseWithoutAgent(agents);
  const pair = ofTwoVendors(leaders) ?? ofOneVendor(leaders) ?? ofTwoVendors(all);
  if (pair) return crewOf(pair, leaders);
  const alone = ownChoice(first, "the only agent found here, and this mode only reads");
  if (mode === "implement" || !alone) return refuseAlone(first, agents);
  return Object.fromEntries(readers.map((role) => [role, alone]));
}

/** The reason why an agent was not taken. */
function lack(agent: Agent): string {
  const { id, health, usable } = agent;
  if (usable === "yes") return "has a key, and is used only when you name it";
  if (usable === "unknown") return health.problem ? "did not answer" : "not known whether it is logged in";
  if (!health.installed) return "not installed";
  const login = isProgram(agent) ? "not logged in" : "no key is set";
  return health.login === "missing" ? login : (health.problem ?? "unusable").replace(`${id}: `, "").replace(/\.$/, "");
}

/** Each reason once, with the agents that have it. */
function lacks(agents: readonly Agent[]): string {
  const byReason = Map.groupBy(agents, lack);
  return [...byReason].map(([reason, those]) => `${those.map(({ id }) => id).join(", ")} (${reason})`).join("; ");
}

const tryOut = "Without a model: --team stub, or thehood demo. Crews to choose from: thehood teams.";

/** What is installed needs least, and a program is what most people use. */
const effort = (agent: Agent): number => (isProgram(agent) ? (agent.health.installed ? 0 : 1) : 2);
const byEffort = (agents: readonly Agent[]): Agent[] => agents.toSorted((one, other) => effort(one) - effort(other));

export function refuseWithoutAgent(agents: readonly Agent[]): never {
  const known = byEffort(byOrder(agents.filter(({ traits }) => traits.modelBacked)));
  const programs = known.filter((agent) => isProgram(agent) && agent.health.remedy !== null);
  // Where none is installed, one command is enough here: doctor lists all of them, one line each.
  const some = programs.slice(0, programs.some(({ health }) => health.installed) ? 2 : 1);
  const doubtful = known.find((agent) => isProgram(agent) && agent.usable === "unknown");
  const remedies = [
    ...(doubtful
      ? [`If ${doubtful.id} is ready, name it: --implementer ${doubtful.id}:default and another as --verifier`]
      : []),
    ...some.map(({ health }) => health.remedy),
    "Other agents: thehood doctor --verbose",
    tryOut,
  ];
  return fail("provider_unavailable", `No agent on this machine can work: ${lacks(known) || "none is known"}.`, {
    remedy: [...new Set(remedies)].map(sentence).join(" "),
  });
}

export function refuseAlone(only: Agent, agents: readonly Agent[]): never {
  const others = byOrder(agents.filter((agent) => agent.traits.modelBacked && agent.usable !== "yes"));
  const remedy = others.find((agent) => isProgram(agent) && agent.health.remedy !== null)?.health.remedy;
  return fail(
    "provider_unavailable",
    `Only ${only.id} can be used here, with one model that is known for certain, and an agent does not verify its own work.`,
    {
      remedy: `Name two different models of it: --implementer ${only.id}:MODEL --verifier ${only.id}:OTHER (thehood models ${only.id}). Or get a second agent${remedy ? `: ${sentence(remedy)}` : "."} ${tryOut}`,
    },
  );
}
