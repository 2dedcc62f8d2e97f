// A crew in which somebody was named and somebody is lacking: whoever a run cannot do without is found on this machine.
import { FailureError, type ProviderRegistry, type Role, type RunMode } from "../../contract/index.ts";
import type { Agent } from "./agents.ts";
import type { Wanted } from "./crew.ts";
import { type FoundSeat, findCrew, isNobody, leadersOf, seatOf, told } from "./found.ts";
import { another, vendorOf } from "./seats.ts";

type Crew = Partial<Record<Role, Wanted>>;

/** Who answers first in the modes that only read; without them the orchestrator does. */
const guests = { plan: "planner", research: "researcher", review: "critic" } as const;

function lackingOf(wanted: Crew, mode: RunMode): readonly Role[] {
  if (mode !== "implement") return wanted[guests[mode]] || wanted.orchestrator ? [] : ["orchestrator"];
  return (["implementer", "verifier", "orchestrator"] as const).filter((role) => !wanted[role]);
}

/** Somebody else than the one who was named: of another vendor, else another model that is surely not the same. */
async function counterpart(
  named: Wanted,
  agents: readonly Agent[],
  registry: ProviderRegistry,
): Promise<FoundSeat | undefined> {
  const { provider, identity } = await registry.resolve(named.assignment);
  const known = agents.find((agent) => agent.provider.id === provider.id);
  const vendor = known ? vendorOf(known) : provider.id;
  const other = leadersOf(agents).find((agent) => vendorOf(agent) !== vendor);
  if (other) return seatOf(other, `a model of another vendor than ${vendor}`);
  const pick = known && another(known, identity);
  if (!pick) return undefined;
  return {
    assignment: pick.assignment,
    source: "found",
    why: told(known, "another model of the same vendor"),
  };
}

function pair(agents: readonly Agent[]): Pick<Crew, "implementer" | "verifier"> {
  try {
    const { implementer, verifier } = findCrew(agents, "implement");
    return { ...(implementer ? { implementer } : {}), ...(verifier ? { verifier } : {}) };
  } catch (error) {
    if (error instanceof FailureError) return {};
    throw error;
  }
}

async function workers(
  { implementer, verifier }: Crew,
  agents: readonly Agent[],
  registry: ProviderRegistry,
): Promise<Crew> {
  if (!implementer && !verifier) return pair(agents);
  if (implementer && verifier) return {};
  const [role, named] = implementer
    ? (["verifier", implementer] as const)
    : (["implementer", verifier] as const);
  const found = named && (await counterpart(named, agents, registry));
  return found ? { [role]: found } : {};
}

/** Nothing is added beside a stand-in like the stub: whoever plays with it plays alone. Who cannot be found stays open. */
export async function fillCrew(
  wanted: Crew,
  mode: RunMode,
  registry: ProviderRegistry,
  look: () => Promise<readonly Agent[]>,
): Promise<Crew> {
  const named = await Promise.all(
    Object.values(wanted).map(({ assignment }) => registry.resolve(assignment)),
  );
  if (lackingOf(wanted, mode).length === 0 || named.some(({ provider }) => !provider.traits.modelBacked))
    return wanted;
  const agents = await look();
  const filled: Crew = {
    ...wanted,
    ...(mode === "implement" ? await workers(wanted, agents, registry) : {}),
  };
  if (filled.orchestrator) return filled;
  const [first] = leadersOf(agents);
  const leader: Wanted | undefined = filled.implementer
    ? { assignment: filled.implementer.assignment, source: "found", why: "the implementer's agent" }
    : first && seatOf(first, "installed and logged in");
  return leader ? { ...filled, orchestrator: leader } : filled;
}

/** Who would play now: whoever is named, with whom that lacks; else whoever is found; nobody when neither can be. */
export async function standingCrew(
  wanted: Crew,
  registry: ProviderRegistry,
  agents: readonly Agent[],
): Promise<Crew> {
  try {
    if (isNobody(wanted)) return findCrew(agents, "implement");
    return await fillCrew(wanted, "implement", registry, () => Promise.resolve(agents));
  } catch (error) {
    // What is wrong with who was named is told beside their name.
    if (error instanceof FailureError) return wanted;
    throw error;
  }
}
