// The questions about the machine, the configuration and the crew, before or beside any run.
import type {
  CheckKind,
  ConfiguredCheck,
  DoctorCheck,
  Policy,
  ResolvedAssignment,
  Role,
  TransferPurpose,
} from "../index.ts";
import type { AccessReport } from "./access.ts";
import type { AgentBrief, ProviderRow, RoleRow, Team } from "./crew.ts";

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly repo: string;
  readonly checks: readonly DoctorCheck[];
  readonly agents: readonly AgentBrief[];
}

export interface ConfigView {
  readonly userFile: string;
  readonly repoFile: string;
  /** The wishes of the repository that are not followed. */
  readonly overruled: readonly string[];
  readonly user: unknown;
  readonly repo: unknown;
  readonly policy: Policy;
}

/** One value in force, and the places that set it: `file:line`, or `default`. */
export interface ConfigOrigin {
  readonly key: string;
  readonly value: unknown;
  readonly from: readonly string[];
}

export type CheckScope = "repo" | "shared";

export interface NewCheck {
  readonly id: string;
  readonly kind: CheckKind;
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface ChecksChanged {
  readonly file: string;
  readonly checks: readonly ConfiguredCheck[];
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
  /** Every value in force, with the file and line that set it. */
  origins(repo: string): Promise<readonly ConfigOrigin[]>;
  /** One value of the user's own configuration, by its path; without a value it is taken out. */
  setConfig(key: string, value?: string): Promise<{ readonly userFile: string; readonly user: unknown }>;
  /** A check of one's own: in the repository's private file, or in the file that is shared with the team. */
  addCheck(repo: string, check: NewCheck, scope: CheckScope): Promise<ChecksChanged>;
  removeCheck(repo: string, id: string, scope: CheckScope): Promise<ChecksChanged>;
  setPolicy(mode: string): Promise<Policy>;
  /** Where data would go; calls nobody. */
  access(
    repo: string,
    purpose: TransferPurpose,
    agents: Readonly<Partial<Record<Role, string>>>,
  ): Promise<AccessReport>;
  /** Makes the sample repository of the demo; gives its place and the script of the stub in it. */
  demo(folder?: string): Promise<{ readonly repo: string; readonly script: unknown; readonly goal: string }>;
}
