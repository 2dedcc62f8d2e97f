// What operations are handed by the app. Everything heavy is behind a function, loaded when it is called.
import type { RepositoryRuns, RunList } from "./runs-port.ts";
import type { RepoLook } from "./repo/index.ts";
import type { HostConfigured, HostRequest, HostRow, Setup } from "../contract/setup/index.ts";
import type {
  CommandVerdict,
  PatchVerdict,
  PathVerdict,
  ReplyVerdict,
  SecretMatch,
  Spell,
} from "../contract/index.ts";

/** The five judges, and the look at a repository before anything else touches it. */
export interface Judges {
  command(line: string): Promise<CommandVerdict>;
  patch(patch: Uint8Array | string, options: PatchCheckOptions): Promise<PatchVerdict>;
  /** `requireAck`: the directive the answer must acknowledge. */
  reply(answer: string, options?: { readonly requireAck?: string }): Promise<ReplyVerdict>;
  secrets(text: string, file?: string): Promise<{ matches: readonly SecretMatch[]; redacted: string }>;
  path(root: string, path: string, op: string): Promise<PathVerdict>;
  repository(folder: string): Promise<RepositoryReport>;
}

export interface PatchCheckOptions {
  readonly repo?: string | undefined;
  readonly restrictPathPrefix?: string | undefined;
  readonly approveProtected?: boolean | undefined;
  /** Files that the person approves with everything in them, secrets too. */
  readonly approvedPaths?: readonly string[] | undefined;
  readonly allowBinary?: boolean | undefined;
  /** Whatever else a caller's line says; the judge reads what it knows. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

export interface RepositoryReport {
  readonly folder: string;
  readonly findings: readonly {
    readonly kind: string;
    readonly path: string;
    readonly severity: string;
    readonly what: string;
    readonly why: string;
    readonly remedy: string;
  }[];
  readonly notes: readonly string[];
}

/** What a patch did to a checkout, or why it did nothing. */
export interface PatchApplied {
  readonly applied: boolean;
  readonly verdict: PatchVerdict;
  readonly changed: readonly string[];
}

/** How the MCP server is to be served. */
export interface ServeOptions {
  /** The first is the one that is meant when a client names none. */
  readonly roots: readonly string[];
  /** A person named the first of them; otherwise it is wherever a host happened to start us. */
  readonly named: boolean;
  readonly http?:
    | {
        readonly host: string;
        readonly port: number;
        /** A person said that other machines may reach it. */
        readonly remote: boolean;
        /** The token is kept for the next start. */
        readonly keepToken: boolean;
      }
    | undefined;
  readonly signal: AbortSignal;
  /** How a person types a suggestion in a terminal. */
  readonly terminal: Spell;
}

export interface Given {
  readonly judges: Judges;
  readonly setup: Setup;
  /** The runs of the repository that holds a folder. */
  runs(folder: string): Promise<RepositoryRuns>;
  runList(folder: string): Promise<RunList>;
  /** Looking at a folder as a guest may: no secrets, no way out. */
  look(folder: string): Promise<RepoLook>;
  /** Lets a process of its own advance a run; returns when that is started. */
  detach(repo: string, runId: string, how?: { readonly besideOnly?: boolean }): Promise<void>;
  /** Whether the user, and nobody else, lets programs carry a person's answers to gates. */
  hostMayApprove(): Promise<boolean>;
  /** Serves until the client leaves or the signal fires. */
  serveMcp(options: ServeOptions): Promise<void>;
  configureHost(request: HostRequest): Promise<HostConfigured>;
  listHosts(repo: string): Promise<readonly HostRow[]>;
  applyPatch(
    patch: Uint8Array,
    options: PatchCheckOptions & { readonly repo: string },
  ): Promise<PatchApplied>;
}
