// The port behind which every model stands. An adapter translates; it neither decides nor remembers.
import { z } from "zod";
import type { ContractName, DirectiveAck } from "./answers/index.ts";
import type { Role } from "./text.ts";

/** A role that a provider can be asked to fill; the integrator is runtime code. */
export type AskedRole = Exclude<Role, "integrator">;

const callPurposes = ["loop", "summon", "reconcile"] as const;
export const callPurpose = z.enum(callPurposes);
type CallPurpose = z.infer<typeof callPurpose>;

/** `worktree`: the one isolated place this call may edit. `read_only`: look, do not touch. `none`: no files at all. */
const workspaceModes = ["none", "read_only", "worktree", "direct"] as const;
export const workspaceMode = z.enum(workspaceModes);
type WorkspaceMode = z.infer<typeof workspaceMode>;

/** The most that a call may use; null for no limit. */
export interface CallLimits {
  readonly tokens: number | null;
  readonly usd: number | null;
}

export interface ProviderCall {
  /** Names this call for good. The engine never sends two calls with one id. */
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
  readonly workspace: { readonly mode: WorkspaceMode; readonly dir: string | null };
  readonly timeoutMs: number;
  readonly limits?: CallLimits;
  readonly maxAnswerBytes: number;
  /** Told what the other side is doing, one line each, for the eyes of whoever waits. */
  readonly progress?: (line: string) => void;
  /** Told its words and the tokens used so far, as they come and as raw as they are. */
  readonly news?: (news: CallNews) => void;
  /** The settings of this provider, frozen when the run was created, as JSON. They come from the user, never from a model. */
  readonly options: unknown;
}

export interface ProviderUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost in US dollars, as the program reports it. */
  readonly costUsd?: number;
  /** Counted by us from bytes, because the other side told nothing. */
  readonly estimated?: true;
}

/** A piece of news about a call that is under way. */
export interface CallNews {
  /** The words of its present message so far, or the end of them. */
  readonly says?: string;
  /** The words go on, so that the last of them may be cut. */
  readonly growing?: boolean;
  /** All that the call has used so far. */
  readonly usage?: ProviderUsage;
}

/** How a local agent command, or a conversation over an API, really ran. Raw bytes: redacted when they are stored. */
export interface ProviderInvocation {
  /** `api_conversation` for an endpoint: `command` is its address, `stdout` what was read there, `stderr` what was tried again. */
  readonly kind?: "local_agent_execution" | "api_conversation";
  readonly command: string;
  readonly args: readonly string[];
  readonly sandbox: string | null;
  readonly permissionMode: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** The acts that the program's own permission mode refused. */
  readonly denials?: readonly string[];
}

export interface ProviderAnswer {
  readonly outcome: "answered" | "failed" | "timed_out" | "aborted" | "oversize";
  /** The answer as it came, not trimmed, not redacted, not parsed. */
  readonly text: string;
  /** A diff the answer carried, for providers that cannot edit the worktree themselves. Exact bytes. */
  readonly patch?: Uint8Array;
  readonly usage?: ProviderUsage;
  /** Why there is no answer. */
  readonly error?: string;
  /** The call was stopped because it used up this budget. */
  readonly budget?: "token" | "money";
  readonly invocation?: ProviderInvocation;
  /**
   * The paths of the shared git folder that the provider itself wrote, for one that works inside this process. Absent for
   * a program of its own: whoever changed something there is then not known.
   */
  readonly gitFolder?: readonly string[];
  readonly durationMs: number;
}

/** A call that the other side may have begun to work on. */
export interface PendingCall {
  readonly answer: Promise<ProviderAnswer>;
}

export type ResolvedModel =
  /** `identity` is the agent that really answers: two assignments with one identity are one agent. */
  | { readonly ok: true; readonly identity: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** The files that a provider without tools of its own may read in one call, with the runtime's read tools. */
export const readAllowance = z.object({ calls: z.int().positive(), bytes: z.int().positive() });
export type ReadAllowance = z.infer<typeof readAllowance>;

export interface ProviderTraits {
  /** `external` when any byte of the directive leaves this machine: those need a transfer manifest. */
  readonly boundary: "local" | "external";
  /** A model costs money and sees data; `false` only for programs like the stub. */
  readonly modelBacked: boolean;
  /** `worktree`: edits files where it is told. `patch`: can only answer with a diff. */
  readonly edits: "worktree" | "patch" | "none";
  /** Present when it reads the repository through the runtime's own tools; part of what a manifest allows. */
  readonly reads?: ReadAllowance;
  /** Short sentence for doctor and records. */
  readonly about: string;
}

/** The facts about a provider that are known at once, without asking a model. */
export interface ProviderHealth {
  readonly installed: boolean;
  readonly version: string | null;
  /** Where the program lies, or the endpoint's address. */
  readonly where: string | null;
  readonly login: "present" | "missing" | "unknown";
  /** Models it can be asked for, its default first; a program that can list its models is asked for them. */
  readonly models: readonly string[];
  /** Its confinement, in a few words. */
  readonly sandbox: string | null;
  readonly problem: string | null;
  readonly remedy: string | null;
}

/**
 * The promises of an adapter, as `providerConformance` checks them:
 *
 * - `send` resolves as soon as the other side may have begun, and rejects with a `FailureError` only when it
 *   certainly has not: such a call may be tried again, any other may not.
 * - `answer` never rejects. It settles at `timeoutMs` at the latest, and at once when the signal fires; by then
 *   nothing of the call runs any more.
 * - Text comes back raw. An adapter does not parse verdicts, redact, judge or remember. It asks again only where the
 *   other side was busy or broke off before any word of its answer was taken, a bounded number of times.
 * - It writes nowhere but in `workspace.dir`, and there only in the modes `worktree` and `direct`.
 * - `reattach` continues the wait for a handle of an earlier process, or says `undefined` when it cannot; it
 *   never sends again.
 */
export interface ProviderPort {
  readonly id: string;
  readonly traits: ProviderTraits;
  resolve(model: string): ResolvedModel;
  /** The data by which a later process finds the call again; it is recorded before the call is sent. */
  handle?(call: ProviderCall): string;
  send(call: ProviderCall, signal: AbortSignal): Promise<PendingCall>;
  reattach?(handle: string, call: ProviderCall, signal: AbortSignal): Promise<PendingCall | undefined>;
  /** For doctor, models and the default crew; answers within a second, calls no model, and leaves off at the signal. */
  examine?(signal?: AbortSignal): Promise<ProviderHealth>;
}

export interface ProviderRegistry {
  /** Fails with `provider_unavailable` and the list of what there is. */
  get(id: string): Promise<ProviderPort>;
  /** All there are, or those of `among` that there are. */
  list(among?: ReadonlySet<string>): Promise<readonly ProviderPort[]>;
  /** `provider:model` to the port and the identity that answers, or a failure. */
  resolve(assignment: string): Promise<{
    readonly provider: ProviderPort;
    readonly model: string;
    readonly identity: string;
  }>;
}

/** `id` names the call or the check; several may be under way at once. */
export type ActivityNews =
  | { readonly id: string; readonly over: true }
  | (CallNews & {
      readonly id: string;
      readonly over?: false;
      readonly who: string;
      /** The command, file or tool that it turned to. */
      readonly does?: string;
    });

/** A short line without secrets, and when it was told. */
export interface ActivityLine {
  readonly text: string;
  readonly at: number;
  /** More of it is to come. */
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
  /** Places that were taken out because they looked like secrets. */
  readonly redactions: number;
}

export interface ReadTools {
  readonly tools: readonly ReadTool[];
  use(name: string, input: unknown, signal: AbortSignal): Promise<ReadResult>;
}

/** A text with a secret in it has its places replaced, or is not shown at all. Nothing outside of `top` is ever shown. */
export type OpenReadTools = (top: string, secrets: "redact" | "withhold") => Promise<ReadTools>;

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/);
const word = z.string().min(1).max(4_000);

const providerSettings = z.strictObject({
  /** Makes a provider of this name: an agent that speaks ACP, or an endpoint that speaks OpenAI's chat API. */
  kind: z.enum(["acp", "openai-compatible"]).optional(),
  /** The program to start, as a path or as a name to be found on PATH. */
  program: word.optional(),
  /** Words put before those that the adapter adds. */
  args: z.array(word).max(200).optional(),
  /** Variables of our own environment that the program may see, besides those its adapter names. */
  passEnv: z.array(variable).max(100).optional(),
  /** Short names for models: alias to the name that the program or the endpoint knows. An alias bypasses nothing (S-12). */
  models: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/), word).optional(),
  /** Files of the program's own, such as its login, that it may read although your home is hidden; from your home, or absolute. */
  ownFiles: z.array(word).max(100).optional(),
  /** Paths of a checkout, from its top, that hold logins by their name and that the program may read all the same. */
  mayRead: z.array(word).max(100).optional(),
  /** For ACP: which of the agent's ways to log in is taken, by its id. */
  authMethod: word.optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The variable that holds the key; the key itself has no place in a file. */
  apiKeyEnv: variable.optional(),
});
export type ProviderSettings = z.infer<typeof providerSettings>;

export const providersInput = z.record(z.string().regex(/^[a-z][a-z0-9-]{0,40}$/), providerSettings);
export type ProvidersInput = z.infer<typeof providersInput>;
