// The door to endpoints as roles: the two that everybody knows, and those a person names in their own configuration.
import {
  type ProviderPort,
  type ProviderSettings,
  type ProvidersInput,
  assignment,
  fail,
} from "../../../core/contract/index.ts";
import { addressOf } from "../address.ts";
import { type KnownEndpoint, knownEndpoints } from "./known.ts";
import { type EndpointDeps, createEndpoint } from "./provider.ts";

function wellKnown(known: KnownEndpoint, settings: ProviderSettings, host: EndpointDeps): ProviderPort {
  const aliases = settings.models ?? {};
  return createEndpoint(
    {
      id: known.id,
      about: known.about,
      form: known.form,
      address: addressOf(settings.baseUrl ?? known.baseUrl),
      keyName: settings.apiKeyEnv ?? known.keyName,
      models: { provider: known.id, known: known.models, aliases },
      defaultModel: aliases["default"] ?? known.models[0],
    },
    host,
  );
}

function compatible(id: string, settings: ProviderSettings, host: EndpointDeps): ProviderPort {
  const { baseUrl, apiKeyEnv, models: aliases = {} } = settings;
  if (baseUrl === undefined)
    return fail("invalid_input", `providers.${id} is openai-compatible and says no baseUrl.`, {
      remedy: `Say where it is: thehood config set providers.${id}.baseUrl http://127.0.0.1:11434/v1`,
    });
  const slugs = Object.values(aliases);
  // A name such as qwen3:8b cannot stand in an assignment; it is asked for by its short name.
  const known = slugs.filter((slug) => assignment.safeParse(`${id}:${slug}`).success);
  return createEndpoint(
    {
      id,
      about: "a server that speaks OpenAI's chat API",
      form: "chat",
      address: addressOf(baseUrl),
      keyName: apiKeyEnv ?? null,
      models: { provider: id, known, aliases },
      defaultModel: aliases["default"] ?? slugs[0],
    },
    host,
  );
}

export function createEndpoints(settings: ProvidersInput, host: EndpointDeps): ProviderPort[] {
  const own = Object.entries(settings).filter(([, { kind }]) => kind === "openai-compatible");
  return [
    ...knownEndpoints
      .filter(({ id }) => settings[id]?.kind === undefined)
      .map((known) => wellKnown(known, settings[known.id] ?? {}, host)),
    ...own.map(([id, one]) => compatible(id, one, host)),
  ];
}
