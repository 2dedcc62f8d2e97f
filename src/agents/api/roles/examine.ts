// Examines an endpoint without asking a model: its address, its key, its models. Nothing remote is asked.
import { FailureError, type ProviderHealth } from "../../../core/contract/index.ts";
import type { Endpoint, EndpointDeps } from "./provider.ts";

const lookMs = 700;

export async function examineEndpoint(
  endpoint: Endpoint,
  host: EndpointDeps,
  signal?: AbortSignal,
): Promise<ProviderHealth> {
  const { id, address, models, defaultModel, keyName } = endpoint;
  const configured = [...new Set([...Object.keys(models.aliases), ...models.known])];
  const health: ProviderHealth = {
    installed: true,
    version: null,
    where: address.baseUrl,
    login: keyName === null ? "unknown" : (host.variables[keyName] ?? "").trim() === "" ? "missing" : "present",
    models: defaultModel === undefined ? configured : [...new Set(["default", ...configured])],
    sandbox: "the runtime's own read tools; changes only as a diff",
    problem: null,
    remedy: null,
  };
  try {
    const { apiKeyOf } = await import("./connection.ts");
    const key = apiKeyOf(endpoint, host);
    if (!address.loopback) return health;
    const { modelsAt } = await import("./connection.ts");
    const served = await modelsAt(endpoint, key, lookMs, signal);
    // The server has answered, so the key is accepted.
    const here: ProviderHealth = { ...health, login: "present" };
    if (configured.length > 0) return offered(here, endpoint, served);
    return {
      ...here,
      problem: `${id} has no models configured.`,
      remedy: `Name them in your own configuration; ${served.length === 0 ? "the server tells none" : `it serves: ${served.slice(0, 12).join(", ")}`}.`,
    };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { ...health, problem: error.failure.message, remedy: error.failure.remedy ?? null };
  }
}

/** Offers what the server lists. One that lists models, and none of ours, would refuse the first call. */
function offered(health: ProviderHealth, endpoint: Endpoint, served: readonly string[]): ProviderHealth {
  if (served.length === 0) return health;
  const { id, models, defaultModel } = endpoint;
  // Ollama lists llama3:latest and answers to llama3.
  const serves = (slug: string) => served.includes(slug) || served.includes(`${slug}:latest`);
  const slug = (name: string) => models.aliases[name] ?? (name === "default" ? (defaultModel ?? name) : name);
  const found = health.models.filter((name) => serves(slug(name)));
  if (found.length > 0) return { ...health, models: found };
  const wanted = [...new Set(health.models.map(slug))].slice(0, 3).join(", ");
  return {
    ...health,
    problem: `${id}'s server does not serve ${wanted}.`,
    remedy: `Load it there, or name what it serves (${served.slice(0, 12).join(", ")}): thehood config set providers.${id}.models.default NAME`,
  };
}
