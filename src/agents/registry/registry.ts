// Finds the provider behind an assignment. The app lists the providers; each is made when it is first
// asked for, so that a run loads no adapter but those of its crew.
import {
  type ProviderPort,
  type ProviderRegistry,
  type ResolvedModel,
  agentProgramRows,
  assignment as assignmentSchema,
  fail,
  nearest,
} from "../../core/contract/index.ts";

/** A provider that can be had. */
export interface Offer {
  readonly id: string;
  readonly make: () => Promise<ProviderPort>;
}

/** One that is there already. */
export const offer = (port: ProviderPort): Offer => ({ id: port.id, make: () => Promise.resolve(port) });

export function createRegistry(offers: readonly Offer[]): ProviderRegistry {
  const byId = new Map<string, Offer>();
  for (const one of offers) {
    if (byId.has(one.id))
      fail("invalid_input", `There are two providers called "${one.id}".`, {
        remedy: `Give the one in your configuration (providers.${one.id}) another name.`,
      });
    byId.set(one.id, one);
  }
  const made = new Map<string, Promise<ProviderPort>>();
  const make = ({ id, make: start }: Offer): Promise<ProviderPort> => {
    const port = made.get(id) ?? start();
    made.set(id, port);
    return port;
  };
  const names = () => [...byId.keys()].sort().join(", ");
  const near = (id: string): string => {
    const known = [...byId.keys()];
    const found = known.find((one) => one.startsWith(`${id}-`)) ?? nearest(id, known);
    return found ? `Did you mean ${found}? ` : "";
  };
  const get = async (id: string): Promise<ProviderPort> =>
    make(
      byId.get(id) ??
        fail("provider_unavailable", `There is no provider "${id.slice(0, 60)}".`, {
          remedy: `${near(id)}Assign one of: ${names()}.`,
        }),
    );
  return {
    get,
    list: (among) => Promise.all([...byId.values()].filter(({ id }) => among?.has(id) ?? true).map((one) => make(one))),
    async resolve(assignment) {
      const parsed = assignmentSchema.safeParse(assignment);
      if (!parsed.success)
        fail("invalid_input", `"${assignment.slice(0, 60)}" is not an assignment.`, {
          remedy: `${near(assignment)}Write provider:model, for example ${byId.has(assignment) ? assignment : "stub"}:default.`,
        });
      const cut = assignment.indexOf(":");
      const provider = await get(assignment.slice(0, cut));
      const model = assignment.slice(cut + 1);
      const resolved = provider.resolve(model);
      if (!resolved.ok) fail("provider_unavailable", resolved.problem, { remedy: resolved.remedy });
      return { provider, model, identity: resolved.identity };
    },
  };
}

export const agentIds = agentProgramRows.map(({ id }) => id);
export const endpointIds = ["openai-api", "anthropic-api"] as const;
export const webIds = ["chatgpt-web", "copilot-web", "gemini-web"] as const;
export const sandboxIds = ["opencode-sandbox"] as const;

export interface KnownModels {
  readonly provider: string;
  /** As the program or the endpoint spells them. "default" leaves the choice to it and is always known. */
  readonly known: readonly string[];
  /** From the user's configuration: short name to the real one. */
  readonly aliases: Readonly<Record<string, string>>;
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The name to send, or null for the program's own choice. Undefined when no such model is known. */
export function slugOf({ known, aliases }: KnownModels, model: string): string | null | undefined {
  const alias = own(aliases, model);
  if (alias !== undefined) return alias;
  if (model === "default") return null;
  return known.includes(model) ? model : undefined;
}

/** A name with a dot in it is quoted, so that it is one part of the path. */
const howToName = (provider: string, model: string): string =>
  /^[\w-]+$/.test(model)
    ? `thehood config set providers.${provider}.models.${model} ${model}`
    : `thehood config set 'providers.${provider}.models."${model}"' '${model}'`;

/** An alias has the identity of its model, so that it cannot make one agent look like two. */
export function resolveModel(models: KnownModels, model: string): ResolvedModel {
  const slug = slugOf(models, model);
  if (slug !== undefined) return { ok: true, identity: `${models.provider}:${slug ?? "default"}` };
  const names = ["default", ...Object.keys(models.aliases), ...models.known];
  const near = nearest(model, names);
  return {
    ok: false,
    problem: `${models.provider} knows no model "${model.slice(0, 100)}".`,
    remedy: `${near ? `Did you mean ${near}? ` : ""}Known: ${names.slice(0, 12).join(", ")}. If it is new, name it: ${howToName(models.provider, model.slice(0, 100))}`,
  };
}
