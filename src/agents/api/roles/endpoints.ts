// Endpoints as roles: the two well-known ones, and those of the user's configuration.
import {
  type ProviderPort,
  type ProviderSettings,
  type ProvidersInput,
  assignment,
  fail,
} from "../../../core/contract/index.ts";
import { addressOf } from "../address.ts";
import { type EndpointDeps, createEndpoint } from "./provider.ts";
import { apiHomes } from "../../../core/contract/transport/index.ts";

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
  // An assignment cannot hold a name such as qwen3:8b; it is used by its short name.
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

interface KnownEndpoint {
  readonly id: string;
  readonly about: string;
  readonly form: "responses" | "chat" | "anthropic";
  readonly baseUrl: string;
  readonly keyName: string;
  readonly models: readonly string[];
}

export const knownEndpoints: readonly KnownEndpoint[] = [
  {
    id: "openai-api",
    about: "OpenAI's models over the Responses API",
    form: "responses",
    baseUrl: apiHomes.openai.baseUrl,
    keyName: "OPENAI_API_KEY",
    models: [
      "gpt-6.1-sol",
      "gpt-6.1-terra",
      "gpt-6-astra",
      "gpt-6-sol",
      "gpt-6-luna",
      "gpt-5.6-sol",
      "gpt-5.5",
      "gpt-5.4",
      "gpt-5.4-mini",
    ],
  },
  {
    id: "anthropic-api",
    about: "Anthropic's models over the Messages API",
    form: "anthropic",
    baseUrl: apiHomes.anthropic.baseUrl,
    keyName: "ANTHROPIC_API_KEY",
    models: [
      "claude-opus-5-5",
      "claude-sonnet-5-5",
      "claude-haiku-5-5",
      "claude-fable-5-1",
      "claude-opus-5",
      "claude-sonnet-5",
      "claude-opus-4-6",
      "claude-sonnet-4-6",
      "claude-haiku-4-5",
    ],
  },
];
