// The port of the gateway's store. Each method is one durable step: its change is on the disk when it resolves, and two
// processes on one store see one order. Effects on documents are passed as data and commit together with their call.
import type { Artifacts } from "../../core/contract/index.ts";
import type {
  CallRequest,
  CallDecision,
  CallState,
  Completion,
  EnvFile,
  RequestedValue,
  RunStatus,
  ServiceCommand,
  SessionFacts,
  ToolResult,
} from "../rules/index.ts";

const sessionStatuses = ["pending", "starting", "running", "stopped", "failed"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export interface SandboxSession extends SessionFacts {
  readonly id: string;
  readonly title: string;
  readonly model: string;
  readonly status: SessionStatus;
  /** Counts the sandboxes of this session; a token of an earlier one is invalid. */
  readonly generation: number;
  readonly provider: string;
  readonly boxId: string | null;
  readonly agentSession: string | null;
  /** A folder on this machine whose files the workspace starts with. */
  readonly source: string | null;
  readonly snapshotId: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly outcome: string | null;
  readonly summary: string | null;
  readonly error: string | null;
  /** The values that the agent waits for; absent for none. */
  readonly requested?: readonly RequestedValue[];
}

/** A function computes the change from the session as it is in the transaction. */
export type SessionChange = Partial<SandboxSession> | ((session: SandboxSession) => Partial<SandboxSession>);

export interface Configuration {
  readonly id: string;
  readonly name: string;
  readonly source: string | null;
  readonly serviceCommands: readonly ServiceCommand[];
  readonly envFiles: readonly EnvFile[];
  readonly snapshotId: string | null;
  readonly status: "default" | "ready";
  readonly updatedBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface SandboxRun {
  readonly id: string;
  readonly sessionId: string;
  readonly status: RunStatus;
  readonly completionId: string | null;
  readonly completionHash: string | null;
  readonly completion: Completion | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
}

/** An encrypted value. The configuration and the key are bound to it as associated data. */
export interface SealedSecret {
  readonly configurationId: string;
  readonly key: string;
  readonly keyId: string;
  readonly iv: string;
  readonly tag: string;
  readonly cipher: string;
  readonly updatedAt: number;
}

export interface Snapshot {
  readonly id: string;
  /** Made from the key of the call: a recovery finds the snapshot of a call by it. */
  readonly label: string;
  readonly sessionId: string;
  readonly configurationId: string | null;
  readonly provider: string;
  readonly message: string;
  readonly state: "intended" | "ready" | "lost";
  readonly createdAt: number;
}

export interface NewCall extends CallRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly now: number;
  readonly leaseUntil: number;
}

/** Effects that only change data of this store. */
export type DirectEffect =
  /** The tool refused the call; the ledger stores its message. */
  | { readonly kind: "refused"; readonly result: ToolResult }
  | { readonly kind: "service_commands"; readonly commands: readonly ServiceCommand[] }
  | { readonly kind: "env_files"; readonly files: readonly EnvFile[] }
  | {
      readonly kind: "completion";
      readonly completion: Completion;
      readonly hash: string;
      /** A completion may create its run: for gateways without automations. */
      readonly open: boolean;
    };

type Settled =
  | { readonly kind: "done"; readonly result: ToolResult }
  | Exclude<CallDecision, { kind: "run" } | { kind: "take_over" }>;

export interface Invocation {
  readonly tool: string;
  readonly callId: string;
  readonly outcome: CallState;
  /** How often the tool took effect: 0 or 1. */
  readonly effects: number;
  readonly attempts: number;
  readonly startedAt: number;
  readonly completedAt: number | null;
  readonly result: ToolResult | null;
}

export interface SessionEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface OutboxRow {
  readonly id: number;
  readonly kind: "stop_session";
  readonly sessionId: string;
  readonly attempts: number;
}

export interface GatewayStore {
  /** Evidence, by the hash of its content. The content is durable when `put` resolves. */
  readonly artifacts: Pick<Artifacts, "put" | "read">;

  addSession(session: SandboxSession, run?: SandboxRun): Promise<void>;
  session(id: string): Promise<SandboxSession | undefined>;
  sessions(limit?: number): Promise<SandboxSession[]>;
  /** Every session that is starting or running. */
  activeSessions(): Promise<SandboxSession[]>;
  /** False, without a change, if the session has another generation. */
  changeSession(id: string, change: SessionChange, generation?: number): Promise<boolean>;

  /** The lease of a session: its owner follows the agent. False while another living process has an unexpired lease. */
  takeLease(sessionId: string, now: number, until: number): Promise<boolean>;
  /** Gives up the lease if this process has it. */
  releaseLease(sessionId: string): Promise<void>;

  addConfiguration(configuration: Configuration): Promise<void>;
  configuration(id: string): Promise<Configuration | undefined>;
  configurations(): Promise<Configuration[]>;
  changeConfiguration(id: string, change: Partial<Configuration>): Promise<void>;

  putSecret(secret: SealedSecret): Promise<{ readonly replaced: boolean }>;
  secrets(configurationId: string): Promise<SealedSecret[]>;
  removeSecret(configurationId: string, key: string): Promise<boolean>;

  run(id: string): Promise<SandboxRun | undefined>;
  runs(): Promise<SandboxRun[]>;

  /** Reads the end of a call that has one. */
  ended(
    call: CallRequest & Pick<NewCall, "sessionId" | "callId">,
  ): Promise<Extract<CallDecision, { kind: "replay" | "conflict" }> | undefined>;
  /** Claims the call for this process (`run`, `take_over`), or returns why not. */
  claim(call: NewCall): Promise<CallDecision>;
  /** Stores the result unless another process took the call over. */
  settle(call: NewCall, fence: number, result: ToolResult, state: CallState, effects: number): Promise<boolean>;
  renew(call: NewCall, fence: number, leaseUntil: number): Promise<boolean>;
  /** The call, its effect and its result in one step. */
  perform(call: NewCall, effect: DirectEffect): Promise<Settled>;
  invocations(sessionId: string, limit?: number): Promise<Invocation[]>;

  addSnapshot(snapshot: Snapshot): Promise<void>;
  snapshot(id: string): Promise<Snapshot | undefined>;
  snapshots(): Promise<Snapshot[]>;
  /** The snapshot is ready. With `adopt` its session or configuration starts from it from now on. */
  snapshotReady(id: string, adopt: boolean): Promise<void>;

  appendEvents(sessionId: string, events: readonly Omit<SessionEvent, "seq">[]): Promise<SessionEvent[]>;
  events(sessionId: string, after: number, limit: number): Promise<SessionEvent[]>;

  /** A text that changes when another process may have appended events. */
  mark(): Promise<string>;

  outboxDue(now: number): Promise<OutboxRow[]>;
  outboxDone(id: number): Promise<void>;
  outboxLater(id: number, at: number): Promise<void>;

  close(): Promise<void>;
}
