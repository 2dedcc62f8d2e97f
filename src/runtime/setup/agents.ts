// Looks at the providers of this machine: all together, and none is waited for longer than a moment.
import { FailureError, fail, type ProviderHealth, type ProviderPort } from "../../core/contract/index.ts";
import { sentence, usableBy, type Agent, type Model } from "../../core/crew/index.ts";
import { timers } from "../../platform/system/index.ts";

/** A decision waits longer than a look: a busy machine must not lose an agent. */
const patienceMs = 5_000;
/** For a command that only looks: it leaves the rest of a second to our own start. */
export const glanceMs = 800;

const always: ProviderHealth = {
  installed: true,
  version: null,
  where: null,
  login: "present",
  models: [],
  sandbox: null,
  problem: null,
  remedy: null,
};

const silent = (id: string): ProviderHealth => ({
  ...always,
  login: "unknown",
  problem: `${id} did not answer in time.`,
  remedy: "The machine may be busy: try again. If it stays so, start the program yourself and see what it waits for.",
});

const modelsOf = (provider: ProviderPort, names: readonly string[]): Model[] =>
  names.flatMap((name) => {
    const resolved = provider.resolve(name);
    if (!resolved.ok) return [];
    const certain = resolved.identity !== `${provider.id}:default`;
    return [{ assignment: `${provider.id}:${name}`, name, identity: resolved.identity, certain }];
  });

const agentOf = (provider: ProviderPort, health: ProviderHealth, usable: Agent["usable"]): Agent => ({
  id: provider.id,
  traits: provider.traits,
  health,
  models: modelsOf(provider, health.models),
  usable,
});

async function examine(provider: ProviderPort, late: Promise<"late">, stop: AbortSignal): Promise<Agent> {
  if (!provider.examine) return agentOf(provider, always, "yes");
  const asked = provider.examine(stop).catch((error: unknown) => {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy } = error.failure;
    return { ...always, login: "unknown" as const, problem: message, remedy: remedy ?? null };
  });
  const health = await Promise.race([asked, late]);
  return health === "late"
    ? agentOf(provider, silent(provider.id), "unknown")
    : agentOf(provider, health, usableBy(health));
}

export async function probeAgents(providers: readonly ProviderPort[], within = patienceMs): Promise<readonly Agent[]> {
  const stop = new AbortController();
  const done = new AbortController();
  const late = timers.sleep(within, done.signal).then(() => "late" as const);
  try {
    return await Promise.all(providers.map((provider) => examine(provider, late, stop.signal)));
  } finally {
    done.abort();
    // A program that a slow one started does not outlive the question.
    stop.abort();
  }
}

/** Refuses agents that certainly cannot answer, before anything is begun with them. */
export function refuseUnusable(agents: readonly Agent[]): void {
  const found = agents.find(({ usable }) => usable === "no");
  if (!found) return;
  const { problem, remedy } = found.health;
  fail("provider_unavailable", problem ?? `${found.id} cannot be used here.`, {
    remedy: `${sentence(remedy ?? "See thehood doctor")} What else works here: thehood models.`,
  });
}
