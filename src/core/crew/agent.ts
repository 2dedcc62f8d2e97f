// An agent is a provider of this machine as it was examined: only data, so that a crew is chosen without the machine. Its
// models are chosen so that the verifier is certainly another one than the implementer.
import { type ProviderHealth, type ProviderTraits, agentProgramRows, vendorOfProvider } from "../contract/index.ts";

/** A model of an agent as one would assign it. */
export interface Model {
  readonly assignment: string;
  readonly name: string;
  readonly identity: string;
  /** Its identity is known, so that two of them are surely two. */
  readonly certain: boolean;
}

export interface Agent {
  readonly id: string;
  readonly traits: ProviderTraits;
  readonly health: ProviderHealth;
  readonly models: readonly Model[];
  /** `unknown` when only a call would show it. */
  readonly usable: "yes" | "unknown" | "no";
}

export function usableBy({ installed, problem, login }: ProviderHealth): Agent["usable"] {
  if (!installed || problem !== null || login === "missing") return "no";
  return login === "present" ? "yes" : "unknown";
}

/** A program that edits a worktree, rather than a model behind an address. */
export const isProgram = ({ traits }: Agent): boolean => traits.edits === "worktree";

/** A sentence with its full stop. */
export const sentence = (text: string | null): string => (text ?? "").replace(/[.]?$/, ".");

export const vendorOf = ({ id }: Pick<Agent, "id">): string => vendorOfProvider(id);

/** By the table of agent programs; an agent that is not listed comes after them. */
const order: readonly string[] = agentProgramRows.map(({ id }) => id);
const rank = ({ id }: Agent): number => {
  const found = order.indexOf(id);
  return found === -1 ? order.length : found;
};
export const byOrder = (agents: readonly Agent[]): Agent[] => agents.toSorted((one, other) => rank(one) - rank(other));

/** The agent's own choice of model, if it can be asked at all. */
export const ownModel = ({ models }: Agent): Model | undefined =>
  models.find(({ name }) => name === "default") ?? models[0];

/** `opus` and `claude-opus-5` may be one model by a short and a long name. */
const kin = (one: string, other: string): boolean => one.includes(other) || other.includes(one);
const nameIn = (identity: string): string => identity.slice(identity.indexOf(":") + 1);

/** A model of this agent that is certainly not the one of this identity. */
export function anotherModel({ id, models }: Agent, identity: string): Model | undefined {
  if (identity === `${id}:default`) return undefined;
  return models.find((model) => model.certain && !kin(nameIn(model.identity), nameIn(identity)));
}

export interface ModelPair {
  readonly worker: Model;
  readonly reviewer: Model;
}

/** Two models of one agent that are certainly not the same; its own choice works, if that one is known. */
export function twoModels(agent: Agent): ModelPair | undefined {
  const certain = agent.models.filter((model) => model.certain);
  const worker = certain.find(({ name }) => name === "default") ?? certain[0];
  const reviewer = worker && anotherModel(agent, worker.identity);
  return worker && reviewer ? { worker, reviewer } : undefined;
}
