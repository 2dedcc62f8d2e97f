// The port of a provider: a call, its answer, its health, the activity of calls in progress, the read tools, and the
// provider settings. An adapter translates between the port and one program or API; it decides nothing and keeps no state.
import { z } from "zod";
import type { ContractName, DirectiveAck } from "./answers/index.ts";
import type { Price } from "./price.ts";
import type { Role } from "./text.ts";

/** A role that a provider can fill; the integrator is runtime code. */
export type AskedRole = Exclude<Role, "integrator">;

const callPurposes = ["loop", "summon", "reconcile", "blind_tests"] as const;
export const callPurpose = z.enum(callPurposes);
type CallPurpose = z.infer<typeof callPurpose>;

/** `worktree`: the one isolated folder that this call may edit. `read_only`: files can be read only. `none`: no files. */
const workspaceModes = ["none", "read_only", "worktree", "direct"] as const;
export const workspaceMode = z.enum(workspaceModes);
type WorkspaceMode = z.infer<typeof workspaceMode>;

/** The most that a call may use; null for no limit. */
export interface CallLimits {
  readonly tokens: number | null;
  readonly usd: number | null;
  /** By which the cost of the call is estimated while it is in progress, where the money is limited. */
  readonly price?: Price;
}

export interface ProviderCall {
  /** Identifies this call permanently. The engine never sends two calls with one id. */
  readonly callId: string;
  readonly runId: string;
  readonly role: AskedRole;
  readonly purpose: CallPurpose;
  /** 1 for the first call of this role for this purpose in the run, counted from the log. */
  readonly ordinal: number;
  readonly model: string;
  readonly contract: ContractName;
  readonly ack: DirectiveAck;
  /** The directive as text: exactly the bytes of the directive artifact. */
  readonly prompt: string;
  /** The same as data, for providers that can use it. */
  readonly directive: Readonly<Record<string, unknown>>;
  readonly workspace: {
    readonly mode: WorkspaceMode;
    readonly dir: string | null;
    /** Folders that this call must not be able to read, where a sandbox can hide them. */
    readonly hides?: readonly string[];
  };
  readonly timeoutMs: number;
  readonly limits?: CallLimits;
  readonly maxAnswerBytes: number;
  /** Receives one line for each action of the provider, for display. */
  readonly progress?: (line: string) => void;
  /** Receives the message so far and the tokens used so far, as they arrive and unredacted. */
  readonly news?: (news: CallNews) => void;
  /** The settings of this provider, frozen when the run was created, as JSON. They come from the user, never from a model. */
  readonly options: unknown;
}

export interface ProviderUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the service had read before. */
  readonly cachedTokens?: number;
  /** The cost in US dollars, as the program reports it. */
  readonly costUsd?: number;
  /** Estimated from bytes, because the provider reported nothing. */
  readonly estimated?: true;
}

/** An update about a call in progress. */
export interface CallNews {
  /** The text of its current message so far, or the end of it. */
  readonly says?: string;
  /** The text is still growing, so its last word may be incomplete. */
  readonly growing?: boolean;
  /** The total usage of the call so far. */
  readonly usage?: ProviderUsage;
}

/** How a local agent command, or a conversation over an API, actually ran. Raw bytes: redacted when they are stored. */
export interface ProviderInvocation {
  /** `api_conversation` for an endpoint: `command` is its URL, `stdout` lists the reads, `stderr` the retries. */
  readonly kind?: "local_agent_execution" | "api_conversation";
  readonly command: string;
  readonly args: readonly string[];
  readonly sandbox: string | null;
  readonly permissionMode: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** The actions that the program's own permission mode refused. */
  readonly denials?: readonly string[];
}

export interface ProviderAnswer {
  readonly outcome: "answered" | "failed" | "timed_out" | "aborted" | "oversize";
  /** The raw answer: not trimmed, not redacted, not parsed. */
  readonly text: string;
  /** The diff in the answer, for providers that cannot edit the worktree. Exact bytes. */
  readonly patch?: Uint8Array;
  readonly usage?: ProviderUsage;
  /** Why the answer is missing. */
  readonly error?: string;
  /** The call was stopped because it used up this budget. */
  readonly budget?: "token" | "money";
  /** Why the answer is missing: a limit of the provider, which lasts until then, as it says itself (ms since 1970). */
  readonly limitedUntil?: number;
  readonly invocation?: ProviderInvocation;
  /**
   * The paths of the shared git folder that the provider itself wrote, for one that works inside this process. Absent for a
   * separate program: the author of changes there is then unknown.
   */
  readonly gitFolder?: readonly string[];
  readonly durationMs: number;
}

/** A call that the provider may have started. */
export interface PendingCall {
  readonly answer: Promise<ProviderAnswer>;
}

export type ResolvedModel =
  /** `identity` is the agent that actually answers: two assignments with one identity are one agent. */
  | { readonly ok: true; readonly identity: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** How much a provider without its own tools may read in one call through the runtime's read tools. */
export const readAllowance = z.object({ calls: z.int().positive(), bytes: z.int().positive() });
export type ReadAllowance = z.infer<typeof readAllowance>;

export interface ProviderTraits {
  /** `external` when any byte of the directive leaves this machine: that needs a transfer manifest. */
  readonly boundary: "local" | "external";
  /** A model costs money and receives data; `false` only for programs like the stub. */
  readonly modelBacked: boolean;
  /** `worktree`: edits files in the given folder. `patch`: can only answer with a diff. */
  readonly edits: "worktree" | "patch" | "none";
  /** Present when it reads the repository through the runtime's own tools; part of what a manifest allows. */
  readonly reads?: ReadAllowance;
  /** Short sentence for doctor and records. */
  readonly about: string;
}

/** The state of a provider that can be probed without calling a model. */
export interface ProviderHealth {
  readonly installed: boolean;
  readonly version: string | null;
  /** The path of the program, or the endpoint's URL. */
  readonly where: string | null;
  readonly login: "present" | "missing" | "unknown";
  /** Available models, its default first; a program that can list its models is queried. */
  readonly models: readonly string[];
  /** Its confinement, as a short text. */
  readonly sandbox: string | null;
  readonly problem: string | null;
  readonly remedy: string | null;
}

/**
 * The obligations of an adapter, as `providerConformance` checks them:
 *
 * - `send` resolves as soon as the provider may have started, and rejects with a `FailureError` only when it certainly has
 *   not: only such a call may be retried.
 * - `answer` never rejects. It settles at `timeoutMs` at the latest, and at once when the signal fires; by then every
 *   process of the call has ended.
 * - Text is returned raw. An adapter does not parse verdicts, redact, judge or keep state. It retries only when the provider
 *   was busy or disconnected before any text of the answer was read, a bounded number of times.
 * - It writes only in `workspace.dir`, and there only in the modes `worktree` and `direct`.
 * - `reattach` continues the wait for a handle of an earlier process, or returns `undefined` when it cannot; it never sends
 *   again.
 */
export interface ProviderPort {
  readonly id: string;
  readonly traits: ProviderTraits;
  resolve(model: string): ResolvedModel;
  /** The data that lets a later process find the call; it is recorded before the call is sent. */
  handle?(call: ProviderCall): string;
  send(call: ProviderCall, signal: AbortSignal): Promise<PendingCall>;
  reattach?(handle: string, call: ProviderCall, signal: AbortSignal): Promise<PendingCall | undefined>;
  /** For doctor, models and the default crew; resolves within a second, calls no model, and stops at the signal. */
  examine?(signal?: AbortSignal): Promise<ProviderHealth>;
}

export interface ProviderRegistry {
  /** Fails with `provider_unavailable` and the list of available providers. */
  get(id: string): Promise<ProviderPort>;
  /** All providers, or those in `among`. */
  list(among?: ReadonlySet<string>): Promise<readonly ProviderPort[]>;
  /** From `provider:model` to the port and the identity that answers; fails when it cannot be resolved. */
  resolve(assignment: string): Promise<{
    readonly provider: ProviderPort;
    readonly model: string;
    readonly identity: string;
  }>;
}

/** `id` names the call or the check; several can be in progress at once. */
export type ActivityNews =
  | { readonly id: string; readonly over: true }
  | (CallNews & {
      readonly id: string;
      readonly over?: false;
      readonly who: string;
      /** The command, file or tool in use. */
      readonly does?: string;
    });

/** A short line without secrets, and its time. */
export interface ActivityLine {
  readonly text: string;
  readonly at: number;
  /** The text is incomplete. */
  readonly growing?: boolean;
}

export interface Activity {
  readonly id: string;
  readonly who: string;
  readonly since: number;
  readonly does: ActivityLine | null;
  readonly says: ActivityLine | null;
  readonly usage: ProviderUsage | null;
}

export interface ReadTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ReadResult {
  readonly ok: boolean;
  /** The text that the model sees, redacted and bounded. */
  readonly text: string;
  /** The number of redacted secrets. */
  readonly redactions: number;
}

export interface ReadTools {
  readonly tools: readonly ReadTool[];
  use(name: string, input: unknown, signal: AbortSignal): Promise<ReadResult>;
}

/** Secrets in a text are redacted, or the text is withheld. Content outside `top` is never shown. */
export type OpenReadTools = (top: string, secrets: "redact" | "withhold") => Promise<ReadTools>;

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/);
const boundedText = z.string().min(1).max(4_000);

const providerSettings = z.strictObject({
  /** Creates a provider of this name: an agent with the ACP protocol, or an endpoint with OpenAI's chat API. */
  kind: z.enum(["acp", "openai-compatible"]).optional(),
  /** The program to start, as a path or as a name on PATH. */
  program: boundedText.optional(),
  /** Arguments before those that the adapter adds. */
  args: z.array(boundedText).max(200).optional(),
  /** Environment variables that the program receives in addition to those of its adapter. */
  passEnv: z.array(variable).max(100).optional(),
  /** Short names for models: alias to the name that the program or the endpoint knows. An alias bypasses nothing (S-12). */
  models: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/), boundedText).optional(),
  /** The program's own files, such as its login, that it may read although the home is hidden; relative to the home, or absolute. */
  ownFiles: z.array(boundedText).max(100).optional(),
  /** Paths of a checkout, from its top, that hold logins by their name and that the program may read nevertheless. */
  mayRead: z.array(boundedText).max(100).optional(),
  /** For ACP: the id of the agent's login method. */
  authMethod: boundedText.optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The variable that holds the key; the key itself is never stored in a file. */
  apiKeyEnv: variable.optional(),
});
export type ProviderSettings = z.infer<typeof providerSettings>;

export const providersInput = z.record(z.string().regex(/^[a-z][a-z0-9-]{0,40}$/), providerSettings);
export type ProvidersInput = z.infer<typeof providersInput>;
