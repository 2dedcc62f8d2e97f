// The port of a sandbox ("box"): a machine of the agent's own. A provider starts one, runs programs in it, reaches a port
// in it, takes a snapshot of it and stops it; everything else is written once, over these.
import type { BoxFile } from "../rules/index.ts";

export interface BoxSpec {
  readonly sessionId: string;
  readonly generation: number;
  /** The label of the snapshot to start from. */
  readonly from: string | null;
  /** A folder of this machine whose files the workspace starts with, when there is no snapshot. */
  readonly source: string | null;
  /** The variables of every program in the box. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ExecOptions {
  readonly input?: Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface ExecResult {
  /** Null when it was ended by us or by a signal. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface Scrub {
  /** Files that hold secrets, absolute paths in the box: no snapshot has them. */
  readonly files: readonly string[];
  /** Values that must not stand anywhere in a snapshot. */
  readonly values: readonly string[];
}

export interface EvidenceLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

export interface BoxEvidence {
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[];
  /** Files that were left out, each with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** Where a port inside the box is reached from this process. */
export type PortAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }
  /** An address of the provider's, with headers that open it. */
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface Box {
  readonly id: string;
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  write(files: readonly BoxFile[]): Promise<void>;
  clear(paths: readonly string[]): Promise<void>;
  collect(folder: string, limits: EvidenceLimits): Promise<BoxEvidence>;
  reach(port: number): PortAddress;
  /** Returns when the snapshot is whole and durable under its label. The box runs on, with its secrets in place. */
  snapshot(label: string, scrub: Scrub): Promise<{ readonly scrubbed: number }>;
  alive(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface BoxProvider {
  readonly id: string;
  /** The gateway as programs in a box reach it. */
  readonly gatewayUrl: string;
  /** Whether boxes can run an agent at all. */
  readonly runsAgents: boolean;
  create(spec: BoxSpec): Promise<Box>;
  /** A box that runs already, or undefined when it is gone. `own`: its calls come to this process from now on. */
  attach(boxId: string, own: boolean): Promise<Box | undefined>;
  /** Ends a box without asking anything of it; one that is gone already is no failure. */
  end(boxId: string): Promise<void>;
  /** Whether there is a whole snapshot under a label; `unknown` when the provider cannot tell. */
  hasSnapshot(label: string): Promise<"yes" | "no" | "unknown">;
  removeSnapshot(label: string): Promise<void>;
}
