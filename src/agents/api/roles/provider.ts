// A provider that is an endpoint: reads through the runtime's own tools, changes files only by a diff in its answer.
import {
  type OpenReadTools,
  type ProviderCall,
  type ProviderPort,
  type ReadAllowance,
  fail,
} from "../../../core/contract/index.ts";
import { type KnownModels, resolveModel, slugOf } from "../../registry/registry.ts";
import type { Address } from "../address.ts";
import type { Pace } from "../retry.ts";
import { examineEndpoint } from "./examine.ts";

export interface Endpoint {
  readonly id: string;
  readonly about: string;
  readonly form: "responses" | "chat" | "anthropic";
  readonly address: Address;
  /** The variable that holds the key; null when none was named. */
  readonly keyName: string | null;
  readonly models: KnownModels;
  /** The model of "default"; undefined when not set. */
  readonly defaultModel: string | undefined;
}

export interface EndpointDeps {
  /** Read at the moment of use, kept nowhere. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Without it a model reads nothing beside its prompt. */
  readonly openReads?: OpenReadTools;
  readonly pace?: Pace;
}

/** Elsewhere every byte read leaves the machine: less of it, and it fits what a policy lets pass beside a directive. */
const allowances: Readonly<Record<"local" | "external", ReadAllowance>> = {
  local: { calls: 40, bytes: 400_000 },
  external: { calls: 24, bytes: 100_000 },
};

/** Spelled alike for every name of this machine. */
const placeOf = ({ baseUrl, loopback }: Address): string => {
  const { port, protocol, host, pathname } = new URL(baseUrl);
  const place = loopback ? `loopback:${port || (protocol === "https:" ? "443" : "80")}` : host;
  return `${place}${pathname === "/" ? "" : pathname}`;
};

export function createEndpoint(endpoint: Endpoint, host: EndpointDeps): ProviderPort {
  const { id, about, address, models, defaultModel } = endpoint;
  const boundary = address.loopback ? "local" : "external";
  const reads = allowances[boundary];
  const nameOf = (model: string) => slugOf(models, model) ?? (model === "default" ? defaultModel : undefined);
  return {
    id,
    traits: { boundary, modelBacked: true, edits: "patch", reads, about: `${about}, at ${address.host}` },
    resolve(model) {
      const slug = nameOf(model);
      // Two providers that lead to one model of one server are one agent, whatever they are called (R-2, S-12).
      if (slug !== undefined) return { ok: true, identity: `${placeOf(address)} ${slug}` };
      if (model === "default") return { ok: false, ...unnamed(id) };
      return resolveModel(models, model);
    },
    async send(call: ProviderCall, signal: AbortSignal) {
      const slug = nameOf(call.model);
      if (slug === undefined)
        return fail("provider_unavailable", `${id} no longer knows the model "${call.model}".`, {
          remedy: "Assign another model to the role, or name it again in your configuration.",
        });
      const { sendCall } = await import("./call.ts");
      return sendCall({ endpoint, host, reads, slug, call, signal });
    },
    examine: (signal) => examineEndpoint(endpoint, host, signal),
  };
}

const unnamed = (id: string) => ({
  problem: `${id} has no default model: name one.`,
  remedy: `Name one: thehood config set providers.${id}.models.default the-server's-name-for-it`,
});
