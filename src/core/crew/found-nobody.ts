// The refusal of a machine on which no crew can be made: each agent with its reason, and the ways out.
import { fail } from "../contract/index.ts";
import { isProgram, sentence, type Agent } from "./agent.ts";
import { byOrder } from "./models.ts";

/** The reason why an agent was not taken, in a few words. */
function lack(agent: Agent): string {
  const { id, health, usable } = agent;
  if (usable === "yes") return `${id} (has a key, and is used only when you name it)`;
  if (usable === "unknown")
    return `${id} (${health.problem ? "did not answer" : "not known whether it is logged in"})`;
  if (!health.installed) return `${id} (not installed)`;
  const login = isProgram(agent) ? "nobody is logged in" : "no key is set";
  return `${id} (${health.login === "missing" ? login : (health.problem ?? "unusable")})`;
}

const tryOut =
  "To try a run without any model: thehood run … --team stub, or thehood demo. Crews to choose from: thehood teams.";

export function refuseNobody(agents: readonly Agent[]): never {
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
    `Only ${only.id} can be used here, with one model that is known for certain: nobody verifies their own work.`,
    {
      remedy: `Name two different models of it: --implementer ${only.id}:MODEL --verifier ${only.id}:OTHER (thehood models ${only.id}). Or get a second agent${remedy ? `: ${sentence(remedy)}` : "."} ${tryOut}`,
    },
  );
}
