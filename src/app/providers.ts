// The providers on this machine. Nothing is started here; an adapter is loaded at its first use.
import { useUserVariables } from "../platform/git/index.ts";
import type { ProviderRegistry } from "../core/contract/index.ts";
import { type Offer, agentIds, createRegistry, endpointIds, sandboxIds, webIds } from "../agents/registry/index.ts";
import { browserFound, browserMemory, openBrowser } from "./browser.ts";
import { configsOf, userSecrets } from "./configs.ts";
import type { Environment } from "./environment.ts";
import { lateRunner } from "./late-runner.ts";
import { namedProgram, searchPath } from "../platform/paths/index.ts";

function named<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`the provider ${id} is listed but cannot be created`);
  return found;
}

/** The variables of the user's environment that name agent programs. */
const commandVariables: Readonly<Record<string, string>> = {
  "codex-cli": "THEHOOD_CODEX_COMMAND",
  "claude-code": "THEHOOD_CLAUDE_COMMAND",
};

/** Programs are searched on the path without `repository`: a repository must not bring its own agents. */
export function createProviders(environment: Environment, repository: string): ProviderRegistry {
  // A run that moves compares the checkout, which the user's own git wrote.
  useUserVariables(environment.variables);
  const { home } = environment;
  const variables = {
    ...environment.variables,
    PATH: searchPath(environment.variables["PATH"], repository, home),
  };
  const user = configsOf(environment).user();
  const settings = user.providers ?? {};
  const runner = lateRunner(environment);
  const commandOf = (id: string) => {
    const program = namedProgram(environment.variables[commandVariables[id] ?? ""], repository, home);
    return program === undefined ? {} : { program };
  };
  const hostOf = (id: string) => ({
    runner,
    home,
    variables,
    settings: { ...commandOf(id), ...settings[id] },
  });
  const ofKind = (kind: string) => Object.keys(settings).filter((id) => settings[id]?.kind === kind);
  const each = (ids: readonly string[], make: (id: string) => ReturnType<Offer["make"]>): Offer[] =>
    ids.map((id) => ({ id, make: () => make(id) }));
  const endpoints = [...endpointIds.filter((id) => settings[id]?.kind === undefined), ...ofKind("openai-compatible")];
  return createRegistry([
    ...each(["stub"], async () => (await import("../agents/stub/index.ts")).createStub()),
    ...each(endpoints, async (id) => {
      const { createEndpoints } = await import("../agents/api/roles/index.ts");
      const own = settings[id];
      const { readToolsOf } = await import("./repository-reader.ts");
      const host = { variables, openReads: readToolsOf(() => userSecrets(environment)) };
      return named(createEndpoints(own ? { [id]: own } : {}, host), id);
    }),
    ...each(agentIds, async (id) => {
      const { agentPrograms, createAgentProgram } = await import("../agents/cli/index.ts");
      return createAgentProgram(named(agentPrograms, id), hostOf(id));
    }),
    ...each(webIds, async (id) => {
      const { createWebRole, webSites } = await import("../agents/web/index.ts");
      return createWebRole(named(webSites, id), {
        aliases: settings[id]?.models ?? {},
        engine: () => openBrowser(variables),
        memory: browserMemory,
        found: (site) => browserFound(variables, site),
      });
    }),
    ...each(sandboxIds, async (id) => {
      const { createSandboxRole } = await import("../agents/sandbox/index.ts");
      const { clientOf } = await import("./gateway.ts");
      return createSandboxRole({
        aliases: settings[id]?.models ?? {},
        gateway: async () => clientOf(environment),
      });
    }),
    ...each(ofKind("acp"), async (id) => {
      const { createAcp } = await import("../agents/acp/index.ts");
      return createAcp(id, hostOf(id));
    }),
  ]);
}
