// The key of an endpoint: read when it is used, told to nobody but the endpoint.
import { fail } from "../../../core/contract/index.ts";
import type { Endpoint, EndpointDeps } from "./provider.ts";

/** Undefined where none is needed; fails where one is and there is none. */
export function apiKeyOf(endpoint: Endpoint, { variables }: EndpointDeps): string | undefined {
  const { keyName, address } = endpoint;
  const key = keyName === null ? undefined : variables[keyName]?.trim() || undefined;
  if (key === undefined) {
    if (address.loopback || keyName === null) return undefined;
    return fail("provider_unavailable", `${keyName} is not set, so ${address.host} cannot be asked.`, {
      remedy: `Set ${keyName} in the environment that thehood runs in.`,
    });
  }
  // A text that no header can carry is no key; the message must not hold the key.
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
