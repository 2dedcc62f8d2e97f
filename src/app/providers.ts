// Which providers there are on this machine. Nothing is started here, and heavy adapters are loaded when they are asked.
import type { CommandRunner, ProviderRegistry } from "../contract/index.ts";
import {
  agentPrograms,
  createAcp,
  createAgentProgram,
  createRegistry,
  createStub,
} from "../providers/index.ts";
import { createEndpoints } from "../providers/api/roles/index.ts";
import { readUserConfig } from "./config/index.ts";
import type { Environment } from "./environment.ts";
import { once } from "./once.ts";
import { secretOptions } from "./secret-options.ts";

/** The sandbox is loaded when the first program is to be run. */
function lateRunner({ variables, home }: Environment): CommandRunner {
  const load = once(async () => {
    const { createCommandRunner } = await import("../workspace/run/index.ts");
    return createCommandRunner({ environment: variables, home });
  });
  return {
    run: async (request) => (await load()).run(request),
    confinement: async () => (await load()).confinement(),
  };
}

export function createProviders(environment: Environment): ProviderRegistry {
  const { home, variables, configDir } = environment;
  const user = readUserConfig(configDir);
  const settings = user.providers ?? {};
  const runner = lateRunner(environment);
  const hostOf = (id: string) => ({ runner, home, variables, settings: settings[id] });
  const ofKind = (kind: string) => Object.keys(settings).filter((id) => settings[id]?.kind === kind);
  return createRegistry([
    createStub(),
    ...createEndpoints(settings, { variables, secretOptions: () => secretOptions(user.secrets) }),
    ...agentPrograms.map((program) => createAgentProgram(program, hostOf(program.id))),
    ...ofKind("acp").map((id) => createAcp(id, hostOf(id))),
  ]);
}
