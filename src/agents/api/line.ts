// The line to a provider: its address, the key for it, and whether both are right.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { type ApiHome, type EngineOpening, homeOf, type OpenHooks } from "../../core/contract/transport/index.ts";
import { addressOf } from "./address.ts";
import { type ApiRoute, exchange, readJsonBody } from "./exchange.ts";
import { openDoor } from "./http.ts";
import { type Pace, realPace } from "./retry.ts";

export interface ApiDeps {
  /** Read from the environment by the app for each call, never stored. */
  readonly key: (name: string) => string | undefined;
  readonly proxyEnv: Readonly<Record<string, string | undefined>>;
  readonly pace?: Pace;
}

export type ApiOpening = NonNullable<EngineOpening["api"]>;

export function apiOf(opening: EngineOpening): ApiOpening {
  if (opening.api === null) throw new TypeError("the API engine was opened without its options");
  return opening.api;
}

const headersOf = ({ header, form }: ApiHome, key: string | undefined): Record<string, string> => ({
  ...(key === undefined ? {} : header === "bearer" ? { authorization: `Bearer ${key}` } : { [header]: key }),
  ...(form === "anthropic" ? { "anthropic-version": "2023-06-01" } : {}),
});

export function apiRouteOf(opening: EngineOpening, deps: ApiDeps): ApiRoute {
  const api = apiOf(opening);
  const home = homeOf(api.provider);
  const names = api.keyEnv ? [api.keyEnv] : home.keyVariables;
  const keyName = names.find((name) => deps.key(name) !== undefined) ?? names[0] ?? "";
  const given =
    api.baseUrl ??
    home.baseUrl ??
    fail("invalid_input", `${api.provider} has no common address for all users.`, {
      remedy: `Name yours with --base-url, in ${home.baseVariable}, or as baseUrl of a model in ~/.oracle/config.json.`,
    });
  const { baseUrl, host, loopback } = addressOf(given);
  const key = deps.key(keyName);
  // A model server on this machine needs no key.
  if (key === undefined && !loopback)
    return fail("provider_unavailable", `${keyName} is not set, so ${host} cannot be used.`, {
      remedy: `Set ${keyName} in the environment, or use --engine browser.`,
    });
  return {
    door: openDoor(deps.proxyEnv, { loopback }),
    loopback,
    pace: deps.pace ?? realPace,
    // The paths of the Messages API begin with /v1 themselves.
    baseUrl: home.form === "anthropic" ? baseUrl.replace(/\/v1$/, "") : baseUrl,
    headers: headersOf(home, key),
    key,
    keyName,
    model: opening.model,
  };
}

const listed = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The list of models costs nothing, and asking for it shows whether the key and the address are right. */
export async function modelsOf(opening: EngineOpening, deps: ApiDeps, hooks: OpenHooks): Promise<string[]> {
  const line = apiRouteOf(opening, deps);
  try {
    const path = homeOf(apiOf(opening).provider).form === "anthropic" ? "/v1/models" : "/models";
    const ask = { method: "GET" as const, path, signal: hooks.signal, idleMs: 20_000, log: hooks.log };
    const parsed = listed.safeParse(await readJsonBody(await exchange(line, ask)));
    if (!parsed.success) return fail("provider_unavailable", "The server does not tell its models.");
    return parsed.data.data.map(({ id }) => id.replace(/^models\//, ""));
  } finally {
    line.door.close();
  }
}
