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
  if (usable === "yes") return `${id} (has a key, and is used only when you name it)`;
  if (usable === "unknown") return `${id} (${health.problem ? "did not answer" : "not known whether it is logged in"})`;
  if (!health.installed) return `${id} (not installed)`;
  const login = isProgram(agent) ? "not logged in" : "no key is set";
  return `${id} (${health.login === "missing" ? login : (health.problem ?? "unusable").replace(`${id}: `, "")})`;
}

const tryOut =
  "To try a run without any model: thehood run … --team stub, or thehood demo. Crews to choose from: thehood teams.";

export function refuseWithoutAgent(agents: readonly Agent[]): never {
  const known = byOrder(agents.filter(({ traits }) => traits.modelBacked));
  const looked = known.map(lack).join(", ");
  const programs = known.filter((agent) => isProgram(agent) && agent.health.remedy !== null);
  const remedies = programs.slice(0, 2).map(({ health }) => health.remedy);
  // Where none is installed, one command is enough here: doctor lists all of them, one line each.
  if (!programs.some(({ health }) => health.installed))
    remedies.splice(1, 1, "Or install another one: thehood doctor has the command for each");
  const doubtful = known.find((agent) => isProgram(agent) && agent.usable === "unknown");
  if (doubtful)
    remedies.unshift(
      `If ${doubtful.id} is ready, say so by naming it: --implementer ${doubtful.id}:default and another as --verifier.`,
    );
  return fail(
    "provider_unavailable",
    `No agent is assigned to a role, and none was found on this machine that can work. Looked for: ${looked || "nothing; no agent program is known"}.`,
    { remedy: [...new Set([...remedies, tryOut])].map(sentence).join(" ") },
  );
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
