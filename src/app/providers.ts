// Which providers there are on this machine. Nothing is started here, and heavy adapters are loaded when they are asked.
import type { ProviderRegistry } from "../contract/index.ts";
import type { Engine } from "../contract/transport/index.ts";
import {
  agentPrograms,
  chatGptWeb,
  createAcp,
  createAgentProgram,
  createRegistry,
  createStub,
  createWebRole,
} from "../providers/index.ts";
import { createEndpoints } from "../providers/api/roles/index.ts";
import { readUserConfig } from "./config/index.ts";
import type { Environment } from "./environment.ts";
import { lateRunner } from "./late-runner.ts";
import { searchPath } from "./search-path.ts";
import { secretOptions } from "./secret-options.ts";

/** Only a scripted double can be had so far, for tests; drivers of real pages are not part of this version. */
async function browserOf({ variables }: Environment): Promise<Engine | undefined> {
  const script = variables["THEHOOD_BROWSER_DOUBLE"];
  if (script === undefined || script === "") return undefined;
  const { browserDouble } = await import("../providers/web/index.ts");
  return browserDouble(script);
}

/** Programs are looked for on the search path as it is without `repository`: it must not bring its own agents. */
export function createProviders(environment: Environment, repository: string): ProviderRegistry {
  const { home, configDir } = environment;
  const variables = {
    ...environment.variables,
    PATH: searchPath(environment.variables["PATH"], repository, home),
  };
  const user = readUserConfig(configDir);
  const settings = user.providers ?? {};
  const runner = lateRunner(environment);
  const hostOf = (id: string) => ({ runner, home, variables, settings: settings[id] });
  const ofKind = (kind: string) => Object.keys(settings).filter((id) => settings[id]?.kind === kind);
  return createRegistry([
    createStub(),
    ...createEndpoints(settings, { variables, secretOptions: () => secretOptions(user.secrets) }),
    ...agentPrograms.map((program) => createAgentProgram(program, hostOf(program.id))),
    createWebRole(chatGptWeb, {
      aliases: settings[chatGptWeb.id]?.models ?? {},
      engine: () => browserOf(environment),
    }),
    ...ofKind("acp").map((id) => createAcp(id, hostOf(id))),
  ]);
}
