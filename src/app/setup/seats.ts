// Which model of which agent sits where, so that whoever verifies is surely somebody else than whoever works.
import { type Agent, type Pick, picksOf } from "./agents.ts";

/** Who makes the models behind a provider: two of one vendor may share one mind. Others are their own vendor. */
const vendors: Readonly<Record<string, string>> = {
  "codex-cli": "OpenAI",
  "openai-api": "OpenAI",
  "claude-code": "Anthropic",
  "anthropic-api": "Anthropic",
  "gemini-cli": "Google",
};
export const vendorOf = ({ provider }: Agent): string => vendors[provider.id] ?? provider.id;

/** In this order the programs are asked to work; whoever is not listed comes after them. */
const order = ["codex-cli", "claude-code", "gemini-cli", "opencode"];
const place = ({ provider }: Agent): number => {
  const found = order.indexOf(provider.id);
  return found === -1 ? order.length : found;
};
export const byOrder = (agents: readonly Agent[]): Agent[] =>
  agents.toSorted((one, other) => place(one) - place(other));

/** Its own choice of model, if it can be asked at all. */
export function own(agent: Agent): Pick | undefined {
  const picks = picksOf(agent);
  return picks.find(({ model }) => model === "default") ?? picks[0];
}

export interface Pair {
  readonly worker: Pick;
  readonly reviewer: Pick;
}

/** `opus` and `claude-opus-5` may be one model by a short and a long name. */
const kin = (one: string, other: string): boolean => one.includes(other) || other.includes(one);
const modelOf = ({ identity }: Pick): string => identity.slice(identity.indexOf(":") + 1);

/** A model of this agent that is certainly not the one of this identity. */
export function another(agent: Agent, identity: string): Pick | undefined {
  if (identity === `${agent.provider.id}:default`) return undefined;
  const model = identity.slice(identity.indexOf(":") + 1);
  return picksOf(agent).find((pick) => pick.certain && !kin(modelOf(pick), model));
}

/** Two models of one agent that are certainly not the same; its own choice works, if it is known what that is. */
export function twoOf(agent: Agent): Pair | undefined {
  const certain = picksOf(agent).filter((pick) => pick.certain);
  const worker = certain.find(({ model }) => model === "default") ?? certain[0];
  const reviewer = worker && another(agent, worker.identity);
  return worker && reviewer ? { worker, reviewer } : undefined;
}
