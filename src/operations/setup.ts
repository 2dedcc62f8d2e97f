// What can be asked about the machine, the configuration and the crew, before or beside any run.
import type { Policy, ResolvedAssignment, Role, TransferPurpose } from "../contract/index.ts";
import type { AccessReport } from "../crew/access/index.ts";

export interface DoctorCheck {
  readonly name: string;
  /** `note`: good to know, and nothing is in the way. */
  readonly state: "ok" | "note" | "warning" | "blocker";
  readonly detail: string;
  readonly remedy: string | null;
}

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly repo: string;
  readonly checks: readonly DoctorCheck[];
  readonly agents: readonly AgentBrief[];
}

/** What can be told of a provider without calling it. */
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
  /** Who really answers: two names with one identity are one agent. */
  readonly identity: string;
  /** What a short name of the user's own stands for. */
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

export interface ConfigView {
  readonly userFile: string;
  readonly repoFile: string;
  /** What the repository asks for and does not get. */
  readonly overruled: readonly string[];
  readonly user: unknown;
  readonly repo: unknown;
  readonly policy: Policy;
}

export interface Setup {
  init(
    repo: string,
  ): Promise<{ readonly folder: string; readonly exclude: "updated" | "already_ignored" | "not_git_repo" }>;
  doctor(repo: string): Promise<DoctorReport>;
  roles(repo: string): Promise<readonly RoleRow[]>;
  setRole(
    repo: string,
    role: string,
    assignment: string,
    scope: "repo" | "user",
  ): Promise<ResolvedAssignment>;
  /** Several at once: only the crew that results must be in order. */
  setRoles(
    repo: string,
    wishes: Readonly<Partial<Record<Role, string>>>,
    scope: "repo" | "user",
  ): Promise<void>;
  teams(repo: string): Promise<readonly Team[]>;
  applyTeam(repo: string, team: string, scope: "repo" | "user"): Promise<readonly RoleRow[]>;
  /** All providers, or the one that is named. */
  models(repo: string, provider?: string): Promise<readonly ProviderRow[]>;
  config(repo: string): Promise<ConfigView>;
  /** One value of the user's own configuration, by its path; without a value it is taken out. */
  setConfig(key: string, value?: string): Promise<{ readonly userFile: string; readonly user: unknown }>;
  setPolicy(mode: string): Promise<Policy>;
  /** Where data would go; calls nobody. */
  access(
    repo: string,
    purpose: TransferPurpose,
    agents: Readonly<Partial<Record<Role, string>>>,
  ): Promise<AccessReport>;
  /** Makes the sample repository of the demo and tells where it is, and what the stub plays in it. */
  demo(folder?: string): Promise<{ readonly repo: string; readonly script: unknown; readonly goal: string }>;
}
