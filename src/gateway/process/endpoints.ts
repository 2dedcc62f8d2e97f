// The endpoints of models, from the options and the variables of the person who starts the gateway.
import { fail } from "../../core/contract/index.ts";
import type { ModelEndpoints } from "../http/index.ts";

interface Asked {
  readonly endpoint: string | undefined;
  readonly anthropicEndpoint: string | undefined;
}

function addressed(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === "") return url.replace(/\/+$/, "");
  return fail("invalid_input", "A model endpoint must be an http or https address without a password.");
}

export function endpointsOf(
  { endpoint, anthropicEndpoint }: Asked,
  variables: Readonly<Record<string, string | undefined>>,
): ModelEndpoints {
  const openKey = variables["OPENAI_API_KEY"] || null;
  const anthropicKey = variables["ANTHROPIC_API_KEY"] || null;
  const base = variables["ANTHROPIC_BASE_URL"];
  const anthropic =
    anthropicEndpoint ??
    (base
      ? `${base.replace(/\/+$/, "")}/v1`
      : anthropicKey === null
        ? undefined
        : "https://api.anthropic.com/v1");
  const open =
    endpoint ?? variables["OPENAI_BASE_URL"] ?? (openKey === null ? undefined : "https://api.openai.com/v1");
  return {
    anthropic: anthropic === undefined ? undefined : { url: addressed(anthropic), key: anthropicKey },
    litellm: open === undefined ? undefined : { url: addressed(open), key: openKey },
  };
}
