// Finds the provider behind an assignment. Which providers there are is said by the app; each is made when it is first
// asked for, so that a run loads no adapter but those of its crew.
import {
  type ProviderPort,
  type ProviderRegistry,
  assignment as assignmentSchema,
  fail,
} from "../../core/contract/index.ts";
import { nearest } from "../../core/contract/did-you-mean/index.ts";

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
    const found = nearest(id, [...byId.keys()]);
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
    list: (among) =>
      Promise.all([...byId.values()].filter(({ id }) => among?.has(id) ?? true).map((one) => make(one))),
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
