// An agent is a provider of this machine as it was looked at: only data, so that a crew is chosen without the machine.
import type { ProviderHealth, ProviderTraits } from "../contract/index.ts";

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
  /** `unknown` when nobody can say without calling it. */
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
