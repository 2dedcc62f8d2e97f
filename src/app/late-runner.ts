// The command runner; its sandbox is loaded with the first program that is run, because commands that only read need none.
import type { CommandRunner } from "../core/contract/index.ts";
import { evidenceDir, type Environment } from "./environment.ts";
import { once } from "../platform/system/index.ts";

export function lateRunner(environment: Environment): CommandRunner {
  const { variables, home } = environment;
  const load = once(async () => {
    const { createCommandRunner } = await import("../platform/sandbox/index.ts");
    return createCommandRunner({ environment: variables, home, hidden: [evidenceDir(environment)] });
  });
  return {
    run: async (request) => (await load()).run(request),
    confinement: async () => (await load()).confinement(),
    nests: async () => (await load()).nests(),
  };
}
