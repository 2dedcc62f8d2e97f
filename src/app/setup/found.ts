// The crew of somebody who configured nothing: made of the agents found on this machine, and told with its reasons.
import { fail, type Role, type RunMode } from "../../contract/index.ts";
import type { Agent, Pick } from "./agents.ts";
import type { Wanted } from "./crew.ts";
import { byOrder, own, twoOf, vendorOf } from "./seats.ts";

export interface FoundSeat {
  readonly assignment: string;
  readonly source: "found";
  readonly why: string;
}
export type FoundCrew = Partial<Record<Role, FoundSeat>>;

interface Seated {
  readonly agent: Agent;
  readonly pick: Pick;
}

interface Two {
  readonly worker: Seated;
  readonly verifier: Seated;
  readonly why: string;
}

const isProgram = ({ provider }: Agent): boolean => provider.traits.edits === "worktree";
const canWork = ({ provider }: Agent): boolean => provider.traits.edits !== "none";

/** A program, or a server on this machine that the user named: neither is paid for by the call. */
const leads = (agent: Agent): boolean => isProgram(agent) || agent.provider.traits.boundary === "local";

/** Models behind a bare key are paid for by the call: they never lead, and only make up a pair. */
function usableOf(agents: readonly Agent[]): { programs: Agent[]; all: Agent[] } {
  const able = agents.filter(({ usable, provider }) => usable === "yes" && provider.traits.modelBacked);
  const programs = byOrder(able.filter(leads));
  return { programs, all: [...programs, ...byOrder(able.filter((agent) => !leads(agent)))] };
}

function seat(agent: Agent | undefined): Seated | undefined {
  const pick = agent && own(agent);
  return agent && pick ? { agent, pick } : undefined;
}

function twoVendors(agents: readonly Agent[]): Two | undefined {
  const worker = seat(agents.find(canWork));
  const verifier = seat(agents.find((agent) => worker && vendorOf(agent) !== vendorOf(worker.agent)));
  if (!worker || !verifier) return undefined;
  return { worker, verifier, why: `a model of another vendor than ${vendorOf(worker.agent)}` };
}

function twoModels(agents: readonly Agent[]): Two | undefined {
  for (const agent of agents.filter(canWork)) {
    const pair = twoOf(agent);
    if (!pair) continue;
    const why = `another model: only ${vendorOf(agent)} is here`;
    return { worker: { agent, pick: pair.worker }, verifier: { agent, pick: pair.reviewer }, why };
  }
  return undefined;
}

export const told = ({ health }: Agent, why: string): string =>
  health.version === null ? why : `${health.version}, ${why}`;

/** Whoever may lead a crew here and now, in the order in which they are asked. */
export const leadersOf = (agents: readonly Agent[]): readonly Agent[] => usableOf(agents).programs;

export function seatOf(agent: Agent, why: string): FoundSeat | undefined {
  const seated = seat(agent);
  return seated && { assignment: seated.pick.assignment, source: "found", why: told(agent, why) };
}

function crewOf({ worker, verifier, why }: Two, all: readonly Agent[]): FoundCrew {
  const third = seat(
    all.find((agent) => [worker, verifier].every((taken) => vendorOf(taken.agent) !== vendorOf(agent))),
  );
  const put = ({ pick }: Seated, reason: string): FoundSeat => ({
    assignment: pick.assignment,
    source: "found",
    why: reason,
  });
  const works = told(worker.agent, "installed and logged in");
  const reviews = told(verifier.agent, why);
  return {
    orchestrator: put(worker, works),
    planner: put(worker, works),
    researcher: put(worker, works),
    implementer: put(worker, works),
    qa: put(verifier, reviews),
    verifier: put(verifier, reviews),
    critic: third ? put(third, told(third.agent, "a third opinion")) : put(verifier, reviews),
  };
}

const readers = ["orchestrator", "planner", "researcher", "qa", "critic"] as const;

/** What stands in the way of one that is not usable, in a few words. */
function lack(agent: Agent): string {
  const { provider, health, usable } = agent;
  if (usable === "yes") return `${provider.id} (has a key, and is used only when you name it)`;
  if (usable === "unknown")
    return `${provider.id} (${health.problem ? "did not answer" : "nobody can say whether it is logged in"})`;
  if (!health.installed) return `${provider.id} (not installed)`;
  const login = isProgram(agent) ? "nobody is logged in" : "no key is set";
  return `${provider.id} (${health.login === "missing" ? login : (health.problem ?? "unusable")})`;
}

const tryOut =
  "To see a run without any model: thehood run … --team stub, or thehood demo. What is here: thehood doctor, thehood teams.";

const sentence = (text: string | null): string => (text ?? "").replace(/[.]?$/, ".");

function refuseNobody(agents: readonly Agent[]): never {
  const known = byOrder(agents.filter(({ provider }) => provider.traits.modelBacked));
  const looked = known.map(lack).join(", ");
  const remedies = known
    .filter((agent) => isProgram(agent) && agent.health.remedy !== null)
    .slice(0, 2)
    .map(({ health }) => health.remedy);
  const doubtful = known.find((agent) => isProgram(agent) && agent.usable === "unknown");
  if (doubtful)
    remedies.unshift(
      `If ${doubtful.provider.id} is ready, say so by naming it: --implementer ${doubtful.provider.id}:default and another as --verifier.`,
    );
  return fail(
    "provider_unavailable",
    `Nobody is assigned to any role, and no agent was found on this machine that could be. Looked for: ${looked || "nothing; no agent program is known"}.`,
    { remedy: [...remedies, tryOut].map(sentence).join(" ") },
  );
}

function refuseAlone(only: Agent, agents: readonly Agent[]): never {
  const others = byOrder(
    agents.filter((agent) => agent.provider.traits.modelBacked && agent.usable !== "yes"),
  );
  const remedy = others.find((agent) => isProgram(agent) && agent.health.remedy !== null)?.health.remedy;
  return fail(
    "provider_unavailable",
    `Only ${only.provider.id} can be used here, with one model that is known for certain: nobody verifies their own work.`,
    {
      remedy: `Name two different models of it: --implementer ${only.provider.id}:MODEL --verifier ${only.provider.id}:OTHER (thehood models ${only.provider.id}). Or get a second agent${remedy ? `: ${sentence(remedy)}` : "."} ${tryOut}`,
    },
  );
}

/** Refuses when nobody is here, and when whoever is here would verify their own work. */
export function findCrew(agents: readonly Agent[], mode: RunMode): FoundCrew {
  const { programs, all } = usableOf(agents);
  const [first] = programs;
  if (!first) return refuseNobody(agents);
  const two = twoVendors(programs) ?? twoModels(programs) ?? twoVendors(all);
  if (two) return crewOf(two, programs);
  const alone = seat(first);
  if (mode === "implement" || !alone) return refuseAlone(first, agents);
  const why = told(alone.agent, "the only agent found here, and this mode only reads");
  return Object.fromEntries(
    readers.map((role) => [role, { assignment: alone.pick.assignment, source: "found" as const, why }]),
  );
}

export const isNobody = (wanted: Partial<Record<Role, Wanted>>): boolean => Object.keys(wanted).length === 0;
