// The port of setup: machine, configuration, roles, teams, checks and MCP hosts, independent of any run. Also the parser of
// config keys.
import { fail } from "../failure.ts";
import type {
  Advice,
  AllowedDestination,
  Role,
  TransferPurpose,
  CheckKind,
  ConfiguredCheck,
  DoctorCheck,
  Policy,
  ResolvedAssignment,
} from "../index.ts";
import type { AgentBrief, ProviderRow, RoleRow, Team } from "./crew.ts";
import type { PreviewImport } from "./preview.ts";

export interface Destination {
  readonly role: Role;
  readonly label: string;
  readonly assignment: string;
  readonly identity: string;
  readonly boundary: "local" | "external";
  /** The data that crosses, or the reason why none does. */
  readonly crosses: string;
  /** The text that an approval must contain; null when it needs no approval. */
  readonly phrase: string | null;
  readonly passesByPolicy: boolean;
  /** The permission of the user for this destination. */
  readonly allowed?: AllowedDestination;
}

export interface AccessReport {
  readonly localOnly: true;
  readonly purpose: TransferPurpose;
  readonly destinations: readonly Destination[];
  readonly dataLeaves: boolean;
  readonly approval: string;
  /** The budget of a run by the policy. */
  readonly cost: string;
  readonly fallbacks: readonly (string | Advice)[];
  /** The destinations that the user allowed at a gate, with their bounds. */
  readonly allowed: readonly AllowedDestination[];
}

export interface RevokedDestinations {
  readonly revoked: readonly AllowedDestination[];
  readonly allowed: readonly AllowedDestination[];
}

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly repo: string;
  readonly checks: readonly DoctorCheck[];
  readonly agents: readonly AgentBrief[];
  /** The agents of the crew that were asked one question, where that was wanted. */
  readonly asked?: readonly AskedAgent[];
}

/** The answer of an agent to the smallest question: only this shows that its login works. */
export interface AskedAgent {
  readonly id: string;
  readonly assignment: string;
  readonly answered: boolean;
  readonly ms: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly problem: string | null;
}

export interface ConfigView {
  readonly userFile: string;
  readonly repoFile: string;
  /** The settings of the repository that are ignored. */
  readonly overruled: readonly string[];
  /** What is to be known about the files. */
  readonly notes: readonly string[];
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
  init(repo: string): Promise<{
    readonly folder: string;
    readonly exclude: "updated" | "already_ignored" | "not_git_repo";
    /** The folder here is that of the public preview. */
    readonly preview: boolean;
  }>;
  /** What the folder of the public preview would become here; with `write`, it is made so. */
  importPreview(repo: string, write: boolean): Promise<PreviewImport>;
  /** With `ask`, each agent of the crew gets one tiny question. */
  doctor(repo: string, ask?: { readonly signal: AbortSignal }): Promise<DoctorReport>;
  roles(repo: string): Promise<readonly RoleRow[]>;
  setRole(repo: string, role: string, assignment: string, scope: "repo" | "user"): Promise<ResolvedAssignment>;
  /** Several at once: only the resulting crew must be valid. */
  setRoles(repo: string, assignments: Readonly<Partial<Record<Role, string>>>, scope: "repo" | "user"): Promise<void>;
  teams(repo: string): Promise<readonly Team[]>;
  applyTeam(repo: string, team: string, scope: "repo" | "user"): Promise<readonly RoleRow[]>;
  /** All providers, or the one that is named. */
  models(repo: string, provider?: string): Promise<readonly ProviderRow[]>;
  config(repo: string): Promise<ConfigView>;
  /** Every value in force, with the file and line that set it. */
  origins(repo: string): Promise<readonly ConfigOrigin[]>;
  /** Sets one value of the user's configuration by its path; without a value it removes it. */
  setConfig(key: string, value?: string): Promise<{ readonly userFile: string; readonly user: unknown }>;
  /** Adds a check: to the repository's private file, or to the file that is shared with the team. */
  addCheck(repo: string, check: NewCheck, scope: CheckScope): Promise<ChecksChanged>;
  removeCheck(repo: string, id: string, scope: CheckScope): Promise<ChecksChanged>;
  setPolicy(mode: string): Promise<Policy>;
  /** The destinations of data, without any call. */
  access(
    repo: string,
    purpose: TransferPurpose,
    agents: Readonly<Partial<Record<Role, string>>>,
  ): Promise<AccessReport>;
  /** Records a destination that a person allowed at a gate; it replaces an older permission for the same place. */
  allowDestination(allowed: AllowedDestination): Promise<void>;
  /** Removes the permissions for a provider, or for one place of it; fails when there is none. */
  revokeDestination(provider: string, place?: string): Promise<RevokedDestinations>;
  /** Creates the sample repository of the demo; returns its path and the script of the stub. */
  demo(folder?: string): Promise<{ readonly repo: string; readonly script: unknown; readonly goal: string }>;
}

export type HostScope = "project" | "user";

/** Adds the MCP server to an agent's configuration. */
export interface HostRequest {
  readonly host: string;
  readonly scope: HostScope;
  /** Write it, instead of only showing it. */
  readonly install: boolean;
  readonly repo: string;
}

export interface HostConfigured {
  readonly host: string;
  readonly title: string;
  readonly scope: HostScope;
  readonly file: string;
  /** Before the write: present, missing, or present with other content. */
  readonly state: "current" | "absent" | "different";
  /** The whole content for an empty file. */
  readonly snippet: string;
  readonly diff: string;
  readonly written: boolean;
  /** The path of the backup. */
  readonly backup: string | null;
  readonly next: string;
}

export interface HostRow {
  readonly host: string;
  readonly title: string;
  readonly scope: HostScope;
  readonly file: string | null;
  readonly state: HostConfigured["state"] | "unusable";
  readonly problem: string | null;
}

/** Splits `providers.codex-cli.program`; a name with dots in it is quoted. */
export function keyPath(key: string): string[] {
  const parts = [...key.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const whole = parts.map((part) => (part.includes(".") ? `"${part}"` : part)).join(".");
  if (parts.length === 0 || whole !== key.replaceAll(/"([^".]+)"/g, "$1"))
    fail("invalid_input", `"${key.slice(0, 100)}" is not the path of a value.`, {
      remedy: "Write it with dots, for example policy.fanoutParallel or providers.codex-cli.program.",
    });
  return parts;
}
