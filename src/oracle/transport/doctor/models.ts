// `oracle models`: which models a run can use, by which key or login, and on request whether they answer.
import { FailureError } from "../../../core/contract/index.ts";
import {
  apiHomes,
  type ApiFamily,
  type TransportEngine,
  homeOf,
  type ModelLine,
  type RunRequest,
} from "../../../core/contract/transport/index.ts";

interface ModelsDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names of the user's own models. */
  readonly own: readonly string[];
  /** The request that a run with this model would be. */
  resolve(model: string): Promise<RunRequest>;
  engine(): Promise<TransportEngine>;
  /** The sites of pages, each with whether the user is logged in there. */
  pages(): Promise<readonly { readonly site: string; readonly loggedIn: boolean }[]>;
  readonly signal: AbortSignal;
}

interface Row {
  readonly request: RunRequest;
  readonly api: NonNullable<RunRequest["api"]>;
}

const keysOf = ({ api }: Row): readonly string[] =>
  api.keyEnv === null ? homeOf(api.provider).keyVariables : [api.keyEnv];

function lineOf(name: string, row: Row, env: ModelsDeps["env"]): ModelLine {
  const { api, request } = row;
  const names = keysOf(row);
  const set = names.find((key) => env[key]);
  const target = api.baseUrl ?? homeOf(api.provider).baseUrl ?? "";
  const line = { name, engine: "api" as const, model: request.model, target };
  return set === undefined
    ? { ...line, state: "unready", detail: `${names.join(" or ")} is not set` }
    : { ...line, state: "untested", detail: `${set} is set` };
}

/** Requests the list of models: it costs nothing, and proves the key and the base URL. */
async function preflight(name: string, row: Row, deps: ModelsDeps): Promise<ModelLine> {
  const line = lineOf(name, row, deps.env);
  const engine = await deps.engine();
  try {
    const opening = { model: row.request.model, browser: null, api: row.api };
    const hooks = { signal: deps.signal, log: () => undefined };
    const offered = (await engine.models?.(opening, hooks)) ?? [];
    return offered.includes(row.request.model)
      ? { ...line, state: "ready", detail: `the server offers it (${offered.length} models)` }
      : { ...line, state: "unready", detail: `the server offers ${offered.length} models, and not this one` };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { message, remedy } = error.failure;
    return { ...line, state: "unready", detail: [message, remedy].filter(Boolean).join(" ") };
  }
}

/** One model of each provider that has a key (OpenAI's without any key), and every model of the user's own. */
const samples: Readonly<Partial<Record<ApiFamily, string>>> = {
  openai: "gpt-5.5",
  anthropic: "claude-opus-5-5",
  gemini: "gemini-3-pro",
  xai: "grok-4",
};

function usual(env: ModelsDeps["env"]): string[] {
  const withKey = (Object.keys(samples) as ApiFamily[]).filter((family) =>
    apiHomes[family].keyVariables.some((key) => env[key]),
  );
  return (withKey.length > 0 ? withKey : (["openai"] as const)).flatMap((family) => samples[family] ?? []);
}

export async function modelLines(deps: ModelsDeps, wanted: string | null, check: boolean): Promise<ModelLine[]> {
  const names = wanted === null ? [...new Set([...usual(deps.env), ...deps.own])] : [wanted];
  const lines = names.map(async (name) => {
    const request = await deps.resolve(name);
    if (request.api === null) throw new TypeError("a model of an API was resolved for a page");
    const row = { request, api: request.api };
    return check || wanted !== null ? preflight(name, row, deps) : lineOf(name, row, deps.env);
  });
  const pages = wanted === null ? await deps.pages() : [];
  return [...(await Promise.all(lines)), ...pages.map(pageLine)];
}

const pageLine = ({ site, loggedIn }: { site: string; loggedIn: boolean }): ModelLine => ({
  name: `${site} in a page`,
  engine: "browser",
  model: "current",
  target: site,
  state: loggedIn ? "untested" : "unready",
  detail: loggedIn
    ? "logged in; whether that still holds only the page knows"
    : `log in once: oracle browser login ${site}`,
});
