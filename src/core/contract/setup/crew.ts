// The crew and the agents of a machine, as rows for people and programs.
import type { Role } from "../index.ts";

/** A provider as it can be described without calling it. */
export interface AgentBrief {
  readonly id: string;
  /** `unknown` when nobody can say without calling it. */
  readonly usable: "yes" | "unknown" | "no";
  readonly installed: boolean;
  readonly version: string | null;
  readonly where: string | null;
  readonly login: "present" | "missing" | "unknown";
  readonly sandbox: string | null;
  readonly models: readonly string[];
  readonly problem: string | null;
  readonly remedy: string | null;
}

export interface RoleRow {
  readonly role: Role;
  readonly label: string;
  readonly assignment: string | null;
  readonly source: "run" | "repo" | "user" | "default" | "found" | "runtime" | "unassigned";
  readonly identity: string | null;
  readonly problem: string | null;
  readonly remedy: string | null;
  /** Why this one, where the runtime would choose it. */
  readonly why: string | null;
  readonly read: boolean;
  readonly edit: boolean;
  readonly run: boolean;
  readonly satisfies: string | null;
}

export interface Team {
  readonly name: string;
  readonly about: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  /** Everyone it names can be asked here and now. */
  readonly available: boolean;
  readonly missing: readonly {
    readonly agent: string;
    readonly problem: string;
    readonly remedy: string | null;
  }[];
}

export interface ModelRow {
  /** As one assigns it. */
  readonly assignment: string;
  /** The agent that really answers: two names with one identity are one agent. */
  readonly identity: string;
  /** The model behind a short name of the user's own. */
  readonly alias: string | null;
  readonly default: boolean;
}

export interface ProviderRow extends Omit<AgentBrief, "models"> {
  readonly about: string;
  readonly boundary: "local" | "external";
  readonly modelBacked: boolean;
  readonly edits: string;
  /** Empty when it takes any name. */
  readonly models: readonly ModelRow[];
}
