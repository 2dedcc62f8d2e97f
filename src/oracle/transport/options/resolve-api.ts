// The API of a run: provider, base URL and protocol. Only the user decides where data goes, never a project.
import { fail } from "../../../core/contract/index.ts";
import {
  apiHomes,
  assumedParts,
  familyOf,
  homeOf,
  type ApiFamily,
  type ApiProvider,
  type AssumedPart,
  type Options,
  type RunRequest,
} from "../../../core/contract/transport/index.ts";
import type { NamedModel } from "../../../core/contract/transport/schema/index.ts";
import type { EnvironmentVariables } from "./resolve.ts";

const loopback = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

function normalizeBaseUrl(given: string): string {
  // The text before an @ may be a password.
  const shown = given.replace(/^([^/]*\/\/)?[^/]*@/, "$1***@");
  const refuse = (why: string): never =>
    fail("invalid_input", `The base URL "${shown}" cannot be used: ${why}.`, {
      remedy: "For example --base-url https://api.example.com/v1",
    });
  if (!URL.canParse(given)) return refuse("it is not a full URL");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("only https is used");
  if (url.protocol === "http:" && !loopback.test(url.hostname))
    return refuse("plain http would show the key to everyone on the way; it is for loopback only");
  if (url.username !== "" || url.password !== "") return refuse("it carries a name or password");
  if (url.search !== "" || url.hash !== "") return refuse("it carries a query or fragment");
  return url.href.replace(/\/+$/, "");
}

interface ApiChoice {
  readonly options: Options;
  readonly env: EnvironmentVariables;
  readonly model: string;
  /** The model was named by the project's config alone. */
  readonly projectModel: boolean;
  /** The user's own model of the name that was given. */
  readonly named: NamedModel | undefined;
}

const filled = (text: string | undefined) => (text === undefined || text === "" ? undefined : text);

/** Models whose answers take longer than a connection can be expected to last. */
const slow = /-pro\b|deep-research/i;

/** Models of OpenAI that search the web and think as hard as they are asked to; Pro models always think their hardest. */
const searching = /^gpt-[5-9]/i;
const thinks = /^gpt-[5-9](?!.*-(?:pro|chat|mini|nano|instant)\b)/i;

/** OpenAI's own API, and a server that the user names for its models. */
const servesOpenAi = (provider: ApiProvider) => provider === "openai" || provider === "auto";

/** A server that the user names works on in the background only for models that are surely OpenAI's. */
const isLong = (provider: ApiProvider, model: string): boolean =>
  slow.test(model) &&
  (provider === "openai" || provider === "azure" || (provider === "auto" && /^(?:gpt-[5-9]|o\d)/i.test(model)));

const assumedIn = (options: Options, has: Readonly<Record<AssumedPart, boolean>>): AssumedPart[] =>
  assumedParts.filter((part) => has[part] && options[part] === undefined);

function searches(options: Options, provider: ApiProvider, model: string): boolean {
  const able = provider === "auto" || provider === "openai" || provider === "azure";
  if (options.search === true && !able)
    return fail("invalid_input", `--search is a feature of the OpenAI Responses API; ${provider} has none here.`, {
      remedy: "Leave it out, or use --provider openai.",
    });
  return options.search ?? (servesOpenAi(provider) && searching.test(model));
}

/** A base URL that ends in /v1 uses OpenAI's protocol for every model: Anthropic's base URL does not end so. */
function familyAt(model: string, base: string | undefined): ApiFamily {
  const family = familyOf(model);
  return family === "anthropic" && base !== undefined && /\/v1\/*$/.test(base) ? "openai" : family;
}

/** The base URL of an Azure customer is that of the resource; the API has a path below it. */
function addressFor(provider: ApiProvider, base: string): string {
  const url = normalizeBaseUrl(base);
  return provider === "azure" && new URL(url).pathname === "/" ? `${url}/openai/v1` : url;
}

/** `vendor/model` is a name of OpenRouter; it is used where there is a key for it and no other base URL. */
const routed = (model: string, base: string | undefined, env: EnvironmentVariables): "openrouter" | undefined =>
  base === undefined && /^[\w.-]+\/[\w.:-]+$/.test(model) && filled(env["OPENROUTER_API_KEY"]) !== undefined
    ? "openrouter"
    : undefined;

function refusePage(options: Options): void {
  if (options.copilot === true || options.domSnapshot !== undefined)
    fail("invalid_input", "--copilot and --dom-snapshot need the browser engine.", {
      remedy: "Use --engine browser, or leave them out.",
    });
}

export function resolveApi(choice: ApiChoice): NonNullable<RunRequest["api"]> {
  const { options, env, model, named } = choice;
  refusePage(options);
  const given = options.baseUrl ?? named?.baseUrl;
  const wanted = options.provider ?? named?.provider ?? "auto";
  const family = wanted === "auto" ? (routed(model, given, env) ?? familyAt(model, given)) : (wanted as ApiFamily);
  const { baseVariable } = homeOf(family);
  const base = given ?? filled(env[baseVariable]);
  if (choice.projectModel && (named !== undefined || (wanted === "auto" && family !== "openai")))
    return fail("invalid_input", `The project's config names ${model}, which would send data to another provider.`, {
      remedy: `Say it yourself if you agree: --model ${model}`,
    });
  const provider: ApiProvider =
    wanted !== "auto" ? wanted : family !== "openai" ? family : base === undefined ? "openai" : "auto";
  const speaksResponses = provider === "auto" || provider === "openai" || provider === "azure";
  if (options.background === true && !speaksResponses)
    return fail("invalid_input", `--background is a feature of the OpenAI Responses API; ${provider} has none.`, {
      remedy: "Leave it out, or use --provider openai.",
    });
  const search = searches(options, provider, model);
  const effort = options.reasoningEffort ?? (servesOpenAi(provider) && thinks.test(model) ? "high" : null);
  const background = options.background ?? isLong(provider, model);
  // OpenAI itself refuses none of it; any other server may know less.
  const mayRefuse = base !== undefined && servesOpenAi(provider);
  const assumed = mayRefuse ? assumedIn(options, { search, reasoningEffort: effort !== null, background }) : [];
  return {
    provider,
    baseUrl: base === undefined ? null : addressFor(provider, base),
    background,
    reasoningEffort: effort,
    ...(search ? { search } : {}),
    ...(assumed.length > 0 ? { assumed } : {}),
    maxOutputTokens: options.maxOutputTokens ?? null,
    keyEnv: named?.keyEnv ?? null,
    price: named?.price ?? null,
  };
}

/** The variable that holds a key for the provider of this model, when one is set. */
export function keyFor(model: string, env: EnvironmentVariables): string | undefined {
  if (routed(model, undefined, env) !== undefined) return "OPENROUTER_API_KEY";
  const names: readonly string[] = apiHomes[familyOf(model)].keyVariables;
  return names.find((name) => filled(env[name]) !== undefined);
}
