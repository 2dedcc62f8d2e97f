// Finds the provider behind an assignment. Which providers there are is said by the app.
import {
  type ProviderPort,
  type ProviderRegistry,
  assignment as assignmentSchema,
  fail,
} from "../contract/index.ts";
import { nearest } from "../contract/nearest/index.ts";

export function createRegistry(ports: readonly ProviderPort[]): ProviderRegistry {
  const byId = new Map<string, ProviderPort>();
  for (const port of ports) {
    if (byId.has(port.id))
      fail("invalid_input", `There are two providers called "${port.id}".`, {
        remedy: `Give the one in your configuration (providers.${port.id}) another name.`,
      });
    byId.set(port.id, port);
  }
  const names = () => [...byId.keys()].sort().join(", ");
  const near = (id: string): string => {
    const found = nearest(id, [...byId.keys()]);
    return found ? `Did you mean ${found}? ` : "";
  };
  const get = (id: string): ProviderPort =>
    byId.get(id) ??
    fail("provider_unavailable", `There is no provider "${id.slice(0, 60)}".`, {
      remedy: `${near(id)}Assign one of: ${names()}.`,
    });
  return {
    get,
    list: () => [...byId.values()],
    resolve(assignment) {
      const parsed = assignmentSchema.safeParse(assignment);
      if (!parsed.success)
        fail("invalid_input", `"${assignment.slice(0, 60)}" is not an assignment.`, {
          remedy: `${near(assignment)}Write provider:model, for example ${byId.has(assignment) ? assignment : "stub"}:default.`,
        });
      const cut = assignment.indexOf(":");
      const provider = get(assignment.slice(0, cut));
      const model = assignment.slice(cut + 1);
      const resolved = provider.resolve(model);
      if (!resolved.ok) fail("provider_unavailable", resolved.problem, { remedy: resolved.remedy });
      return { provider, model, identity: resolved.identity };
    },
  };
}
