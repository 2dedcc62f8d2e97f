// The gateway as operations see it: serving one, and asking the one that runs.
import type { GatewayListening } from "../../core/contract/index.ts";

export interface GatewayServe extends GatewayListening {
  /** An OpenAI-compatible endpoint for every model that is not Anthropic's. */
  readonly endpoint: string | undefined;
  readonly anthropicEndpoint: string | undefined;
  readonly signal: AbortSignal;
}

export interface GatewayDev {
  readonly port: number;
  readonly sessions: readonly string[];
  readonly signal: AbortSignal;
}

/** The first thing that a gateway says: where it is. */
export interface GatewayOutput {
  readonly url: string;
  /** Where its keys are kept. */
  readonly keys?: string;
}

/** One session of the gateway in a list. */
export interface SessionRow {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly error: string | null;
  /** The values that its agent waits for. */
  readonly requested?: readonly RequestedRow[];
}

export interface RequestedRow {
  readonly key: string;
  readonly description?: string;
  readonly type?: "env" | "secret";
  readonly required?: boolean;
  readonly suggestions?: readonly {
    readonly label: string;
    readonly value?: string;
    readonly instructions?: string;
  }[];
}

export interface EvidenceRow {
  readonly callId: string;
  readonly at: number;
  readonly prefix: string;
  readonly folder: string;
  readonly files: readonly {
    readonly path: string;
    readonly ref: string;
    readonly bytes: number;
    readonly mediaType: string;
  }[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export interface ShownEvidence {
  readonly sessionId: string;
  readonly evidence: readonly EvidenceRow[];
  /** The one file that was asked for. */
  readonly file: (EvidenceRow["files"][number] & { readonly base64: string }) | null;
  readonly written: { readonly folder: string; readonly files: readonly string[] } | null;
}

export interface SnapshotRow {
  readonly id: string;
  readonly sessionId: string;
  readonly message: string;
  readonly state: string;
  readonly createdAt: number;
  /** The next sandbox of the session starts from it. */
  readonly current: boolean;
}

export interface ShownSnapshots {
  readonly sessionId: string;
  readonly snapshots: readonly SnapshotRow[];
  readonly saved: { readonly snapshotId: string; readonly target: string } | null;
  readonly restored: { readonly snapshotId: string; readonly before: string | null } | null;
}

export interface ShownLedger {
  readonly sessionId: string;
  readonly invocations: readonly {
    readonly tool: string;
    readonly callId: string;
    readonly outcome: string;
    readonly effects: number;
    readonly startedAt: number;
    readonly completedAt: number | null;
    readonly result: { readonly success: boolean; readonly result: string } | null;
  }[];
}

export interface ActionRow {
  readonly id: string;
  readonly status: string;
  readonly integration: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

export interface ShownActions {
  readonly sessionId: string;
  readonly integrations: readonly {
    readonly integration: string;
    readonly displayName: string;
    readonly actions: readonly { readonly name: string; readonly description: string; readonly mode: string }[];
  }[];
  /** Actions that wait for a decision. */
  readonly pending: readonly ActionRow[];
  readonly decided: ActionRow | null;
}

export interface SessionConfig {
  readonly sessionId: string;
  readonly kind: string;
  readonly model: string;
  /** The only tools of the session; null for all of its kind. */
  readonly tools: readonly string[] | null;
  readonly systemPrompt: string | null;
  readonly snapshotId: string | null;
  readonly configuration: {
    readonly id: string;
    readonly name: string;
    readonly source: string | null;
    readonly status: string;
    readonly snapshotId: string | null;
    readonly serviceCommands: readonly { readonly name: string; readonly command: string; readonly cwd?: string }[];
    readonly envFiles: readonly {
      readonly path: string;
      readonly keys: readonly { readonly key: string; readonly required: boolean }[];
    }[];
  } | null;
  /** Names of stored values; the values are never shown. */
  readonly secrets: readonly { readonly key: string; readonly updatedAt: number }[];
}

export interface SessionEventRow {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ShownSandboxSession {
  readonly session: SessionRow;
  readonly events: readonly SessionEventRow[];
}

export interface GatewayPort {
  /** Tells where it listens, and serves until the signal fires. */
  serve(options: GatewayServe): AsyncIterable<GatewayOutput>;
  dev(options: GatewayDev): AsyncIterable<GatewayOutput>;
  /** The newest sessions of the gateway that runs; none when none answers at once. */
  sessions(): Promise<readonly SessionRow[]>;
  /** Asks the gateway that runs. */
  ask(method: string, path: string, body?: object): Promise<unknown>;
  events(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<Record<string, unknown>>;
  /** Writes files into a new or empty folder; no path leads out of it. */
  saveFiles(
    folder: string,
    files: readonly { readonly path: string; base64(): Promise<string> }[],
  ): Promise<{ readonly folder: string; readonly files: readonly string[] }>;
}
