// The rows that describe the agents of a machine, the roles, the teams and the models.
import type { Role } from "../index.ts";

/** The state of a provider without a call to it. */
export interface AgentBrief {
  readonly id: string;
  /** A program on this machine, not a service or a page. */
  readonly program: boolean;
  /** `unknown` when only a call can show it. */
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
  /** Every agent in it is usable on this machine. */
  readonly available: boolean;
  readonly missing: readonly {
    readonly agent: string;
    readonly problem: string;
    readonly remedy: string | null;
  }[];
}

export interface ModelRow {
  /** The text to assign it. */
  readonly assignment: string;
  /** The agent that actually answers: two names with one identity are one agent. */
  readonly identity: string;
  /** The model behind the user's own short name. */
  readonly alias: string | null;
  readonly default: boolean;
}

export interface ProviderRow extends Omit<AgentBrief, "models"> {
  readonly about: string;
  readonly boundary: "local" | "external";
  readonly modelBacked: boolean;
  readonly edits: string;
  /** Empty when it accepts any name. */
  readonly models: readonly ModelRow[];
}
