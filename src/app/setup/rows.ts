// What was found out about the agents of this machine, as rows for people and programs.
import type { ProvidersInput } from "../../contract/index.ts";
import type { AgentBrief, ModelRow, ProviderRow } from "../../operations/index.ts";
import { type Agent, picksOf } from "./agents.ts";

/** Some know hundreds of models; `thehood models` tells them all. */
const fewModels = 10;

export function briefOf({ provider, health, usable }: Agent): AgentBrief {
  const { installed, version, where, login, sandbox, problem, remedy } = health;
  const models = health.models.slice(0, fewModels);
  return { id: provider.id, usable, installed, version, where, login, sandbox, models, problem, remedy };
}

function modelsOf(agent: Agent, aliases: Readonly<Record<string, string>>): ModelRow[] {
  return picksOf(agent).map(({ assignment, model, identity }) => ({
    assignment,
    identity,
    alias: Object.hasOwn(aliases, model) ? (aliases[model] ?? null) : null,
    default: model === "default",
  }));
}

export function providerRow(agent: Agent, settings: ProvidersInput): ProviderRow {
  const { about, boundary, modelBacked, edits } = agent.provider.traits;
  const models = modelsOf(agent, settings[agent.provider.id]?.models ?? {});
  return { ...briefOf(agent), about, boundary, modelBacked, edits, models };
}
