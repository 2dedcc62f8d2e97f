// The connection to an endpoint: its key, read when it is used and sent only there, and the models that it serves.
import { z } from "zod";
import { FailureError, fail } from "../../../core/contract/index.ts";
import { exchange, readJsonBody } from "../exchange.ts";
import { openDoor } from "../http.ts";
import { realPace } from "../retry.ts";
import type { Endpoint, EndpointDeps } from "./provider.ts";

/** Undefined where the endpoint needs no key; fails if it needs one and it is missing. */
export function apiKeyOf(endpoint: Endpoint, { variables }: EndpointDeps): string | undefined {
  const { keyName, address } = endpoint;
  const key = keyName === null ? undefined : variables[keyName]?.trim() || undefined;
  if (key === undefined) {
    if (address.loopback || keyName === null) return undefined;
    return fail("provider_unavailable", `${keyName} is not set, so ${address.host} cannot be asked.`, {
      remedy: `Set ${keyName} in the environment that thehood runs in.`,
    });
  }
  // A key must fit into a header. The message must not contain it.
  if (!/^[\x21-\x7e]+$/.test(key))
    return fail("provider_unavailable", `${keyName} holds something that cannot be a key.`, {
      remedy: `Set ${keyName} to the key alone, without quotes, spaces or line breaks.`,
    });
  return key;
}

export function headersOf({ form }: Pick<Endpoint, "form">, key: string | undefined): Record<string, string> {
  if (form === "anthropic")
    return { "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) };
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

const listed = z.object({ data: z.array(z.object({ id: z.string().max(300) })).max(10_000) });

/** Empty when the server has no list; fails when no server answers. */
export async function modelsAt(
  { address, keyName, form }: Endpoint,
  key: string | undefined,
  withinMs: number,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const door = openDoor({}, { loopback: true });
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, withinMs);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const reply = await exchange(
      {
        door,
        pace: realPace,
        baseUrl: address.baseUrl,
        headers: headersOf({ form }, key),
        key,
        keyName: keyName ?? "the key",
        model: "",
        loopback: true,
      },
      {
        method: "GET",
        path: form === "anthropic" ? "/v1/models" : "/models",
        signal: stop.signal,
        idleMs: withinMs,
        longestPause: () => 0,
        log: () => undefined,
        accept: [400, 404, 405, 501],
      },
    );
    const parsed = listed.safeParse(reply.status < 300 ? await readJsonBody(reply) : {});
    return parsed.success ? parsed.data.data.map(({ id }) => id) : [];
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === "interrupted")
      return fail("provider_unavailable", `${address.host} did not answer within ${withinMs} ms.`, {
        remedy: "Look whether the model server is well.",
      });
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    door.close();
  }
}
