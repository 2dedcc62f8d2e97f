// What can be asked about the machine, the configuration and the crew, before or beside any run.
import type { Policy, ResolvedAssignment, Role, TransferPurpose } from "../contract/index.ts";
import type { AccessReport } from "./access/index.ts";

export interface DoctorCheck {
  readonly name: string;
  readonly state: "ok" | "warning" | "blocker";
  readonly detail: string;
  readonly remedy: string | null;
}

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly repo: string;
  readonly checks: readonly DoctorCheck[];
}

export interface RoleRow {
  readonly role: Role;
  readonly label: string;
  readonly assignment: string | null;
  readonly source: "run" | "repo" | "user" | "default" | "runtime" | "unassigned";
  readonly identity: string | null;
  readonly problem: string | null;
  readonly read: boolean;
  readonly edit: boolean;
  readonly run: boolean;
  readonly satisfies: string | null;
}

export interface Team {
  readonly name: string;
  readonly about: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  /** Every provider it names is here. */
  readonly available: boolean;
}

export interface ProviderRow {
  readonly id: string;
  readonly about: string;
  readonly boundary: "local" | "external";
  readonly modelBacked: boolean;
  readonly edits: string;
  readonly models: readonly string[];
}

export interface ConfigView {
  readonly userFile: string;
  readonly repoFile: string;
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
  teams(): Promise<readonly Team[]>;
  applyTeam(repo: string, team: string, scope: "repo" | "user"): Promise<readonly RoleRow[]>;
  models(): Promise<readonly ProviderRow[]>;
  config(repo: string): Promise<ConfigView>;
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
