// Examines an agent program in a moment: where it is, its version, logged in or not. No model is asked.
import { type CommandRunner, FailureError, type ProviderHealth } from "../../core/contract/index.ts";
import { type FoundProgram, locateProgram } from "./find.ts";
import type { AgentEnvironment, AgentProgram } from "./program.ts";

export async function examineProgram(
  program: AgentProgram,
  place: AgentEnvironment,
  runner: CommandRunner,
  find: () => Promise<FoundProgram | FailureError>,
  models: readonly string[],
): Promise<ProviderHealth> {
  const found = await find();
  const where = locateProgram(program, place);
  const login = program.login?.(place) ?? { state: "unknown" as const, remedy: "" };
  const base = {
    login: login.state,
    models: ["default", ...models],
    sandbox: await confinementOf(program, runner),
  };
  if (found instanceof FailureError)
    return {
      ...base,
      installed: !(where instanceof FailureError),
      version: null,
      where: where instanceof FailureError ? null : where,
      problem: found.failure.message,
      remedy: found.failure.remedy ?? null,
    };
  const missing = login.state === "missing";
  return {
    ...base,
    installed: true,
    version: found.version,
    where: found.path,
    problem: missing ? `${program.id}: nobody is logged in.` : null,
    remedy: missing ? login.remedy : null,
  };
}

async function confinementOf(program: AgentProgram, runner: CommandRunner): Promise<string> {
  if ((await runner.confinement()) === "none") return "only its own permission mode";
  return program.nested && !(await runner.nests())
    ? "bubblewrap; inside it this system allows no second sandbox for its commands"
    : "bubblewrap, and its own permission mode";
}
