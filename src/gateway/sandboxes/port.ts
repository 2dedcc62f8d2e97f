// The port of a sandbox, a machine for one agent. A provider starts it, runs programs in it, reaches a port in it, takes a
// snapshot of it and stops it; everything else is written once over these.
import type { SandboxFile } from "../rules/index.ts";

export interface SandboxSpec {
  readonly sessionId: string;
  readonly generation: number;
  /** The label of the snapshot to start from. */
  readonly from: string | null;
  /** The snapshot is of this session: the diff is still taken against the state at its first start. */
  readonly own?: boolean;
  /** A folder of this machine whose files the workspace starts with, when there is no snapshot. */
  readonly source: string | null;
  /** The variables of every program in the sandbox. */
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
  /** Null if a signal or a limit ended the program. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface Scrub {
  /** Files with secrets, as absolute paths in the sandbox: they are in no snapshot. */
  readonly files: readonly string[];
  /** Values that must not occur in a snapshot. */
  readonly values: readonly string[];
}

export interface EvidenceLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** A file in the sandbox: files that have not changed after it are left out. Without the file none is. */
  readonly newerThan?: string;
}

export interface SandboxEvidence {
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[];
  /** Files that were left out, each with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** The address of a port inside the sandbox for this process. */
export type PortAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }
  /** An address of the provider, with the headers that it needs. */
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface Sandbox {
  readonly id: string;
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  write(files: readonly SandboxFile[]): Promise<void>;
  clear(paths: readonly string[]): Promise<void>;
  collect(folder: string, limits: EvidenceLimits): Promise<SandboxEvidence>;
  reach(port: number): PortAddress;
  /** Resolves when the snapshot is complete and durable under its label. The sandbox runs on with its secrets. */
  snapshot(label: string, scrub: Scrub): Promise<{ readonly scrubbed: number }>;
  alive(): Promise<boolean>;
  stop(): Promise<void>;
  /** Gives up what this process holds of the sandbox, which runs on. */
  release?(): void;
}

export interface SandboxProvider {
  readonly id: string;
  /** The gateway's address inside a sandbox. */
  readonly gatewayUrl: string;
  /** Whether sandboxes can run an agent. */
  readonly runsAgents: boolean;
  /** The id that `create` will use, stored before anything exists; undefined if the provider chooses it. */
  idFor(spec: Pick<SandboxSpec, "sessionId" | "generation">): string | undefined;
  create(spec: SandboxSpec): Promise<Sandbox>;
  /** A running sandbox, or undefined if it has ended. `own`: its calls come to this process from now on. */
  attach(sandboxId: string, own: boolean): Promise<Sandbox | undefined>;
  /** Ends a sandbox without contacting it; a sandbox that has ended already is not a failure. */
  end(sandboxId: string): Promise<void>;
  /** Whether a complete snapshot has this label; `unknown` if the provider cannot know. */
  hasSnapshot(label: string): Promise<"yes" | "no" | "unknown">;
  removeSnapshot(label: string): Promise<void>;
  /** Removes what a process that died left unfinished; called when a gateway starts. */
  clean?(): Promise<void>;
}
