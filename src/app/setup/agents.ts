// What can be told of every provider in a moment: all are looked at together, none is waited for longer than a second.
import {
  FailureError,
  type ProviderHealth,
  type ProviderPort,
  type ProviderRegistry,
} from "../../contract/index.ts";
import { timers } from "../../system/index.ts";

export interface Agent {
  readonly provider: ProviderPort;
  readonly health: ProviderHealth;
  /** `unknown` when nobody can say without calling it. */
  readonly usable: "yes" | "unknown" | "no";
}

/** What a decision hangs on is waited for longer: a busy machine must not lose an agent. */
const patienceMs = 5_000;
/** Of whoever only looks: it leaves the rest of a second to our own start. */
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
  problem: `${id} did not say in time how it is.`,
  remedy: "Try again; if it stays silent, start the program yourself and see what it waits for.",
});

function usable({ installed, problem, login }: ProviderHealth): Agent["usable"] {
  if (!installed) return "no";
  if (problem !== null) return "no";
  return login === "present" ? "yes" : login === "missing" ? "no" : "unknown";
}

async function examine(provider: ProviderPort, late: Promise<"late">, stop: AbortSignal): Promise<Agent> {
  if (!provider.examine) return { provider, health: always, usable: "yes" };
  const asked = provider.examine(stop).catch((error: unknown) => {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy } = error.failure;
    return { ...always, login: "unknown" as const, problem: message, remedy: remedy ?? null };
  });
  const health = await Promise.race([asked, late]);
  return health === "late"
    ? { provider, health: silent(provider.id), usable: "unknown" }
    : { provider, health, usable: usable(health) };
}

export async function lookAt(
  providers: readonly ProviderPort[],
  within = patienceMs,
): Promise<readonly Agent[]> {
  const stop = new AbortController();
  const done = new AbortController();
  const late = timers.sleep(within, done.signal).then(() => "late" as const);
  try {
    return await Promise.all(providers.map((provider) => examine(provider, late, stop.signal)));
  } finally {
    done.abort();
    // Whatever a slow one started does not outlive the question.
    stop.abort();
  }
}

/** A model as one would assign it. `certain` when its identity is known, so that two of them are surely two. */
export interface Pick {
  readonly assignment: string;
  readonly model: string;
  readonly identity: string;
  readonly certain: boolean;
}

export function picksOf({ provider, health }: Agent): readonly Pick[] {
  return health.models.flatMap((model) => {
    const resolved = provider.resolve(model);
    if (!resolved.ok) return [];
    const certain = resolved.identity !== `${provider.id}:default`;
    return [{ assignment: `${provider.id}:${model}`, model, identity: resolved.identity, certain }];
  });
}

/** Refuses agents that certainly cannot answer, before anything is begun with them. */
export async function refuseUnusable(registry: ProviderRegistry, ids: Iterable<string>): Promise<void> {
  const agents = await lookAt(await Promise.all([...new Set(ids)].map((id) => registry.get(id))));
  for (const { usable: able, health, provider } of agents) {
    if (able !== "no") continue;
    throw new FailureError({
      code: "provider_unavailable",
      message: health.problem ?? `${provider.id} cannot be used here.`,
      remedy: `${(health.remedy ?? "See thehood doctor").replace(/[.]?$/, ".")} What else works here: thehood models.`,
    });
  }
}
