// The port of the transport for its surfaces (command line and MCP tools), and of the shared store of sessions.
import type { DoctorCheck } from "../doctor.ts";
import type { Options } from "./options.ts";
import type { RunRequest } from "./schema/request.ts";
import type { RunResult } from "./schema/result.ts";
import type { SessionRecord } from "./schema/session.ts";
import type { BundleFormat, EngineKind, PageTool } from "./text.ts";

/** The files of a session by their names. */
export type SessionFiles = ReadonlyMap<string, Uint8Array>;

export interface ShelvedSession {
  readonly id: string;
  /** Grows with each change. */
  readonly version: number;
  /** The time since the last heartbeat, by the clock of the shared store. */
  readonly silentMs: number;
  readonly files: SessionFiles;
}

interface SessionChange {
  readonly files: SessionFiles;
  readonly gone: readonly string[];
  /** The version that the change is based on; undefined for the machine that owns the session: its change always wins. */
  readonly expected: number | undefined;
}

export interface SessionShelf {
  /** Adds a new session; false when another session has its name. */
  add(id: string, files: SessionFiles): Promise<boolean>;
  /** The new version; undefined when the session was removed, or has another version than expected. */
  save(id: string, change: SessionChange): Promise<number | undefined>;
  list(): Promise<Omit<ShelvedSession, "files">[]>;
  /** Sessions with all of their files, or with the named ones. */
  load(ids: readonly string[], names?: readonly string[]): Promise<ShelvedSession[]>;
  remove(id: string): Promise<void>;
}

/** A request with every option decided, before it runs. */
export interface ResolvedRequest {
  readonly request: RunRequest;
  readonly warnings: readonly string[];
  /** Why this engine was chosen, when the user did not choose it. */
  readonly engineWhy?: string;
}

export interface SessionWatch {
  /** One line of progress. */
  readonly onLine: (line: string) => void;
  /** The whole answer so far, each time it has grown. */
  readonly onText?: (textSoFar: string) => void;
  /** Ends the watch. A run in this process is cancelled; one in its own process continues. */
  readonly signal: AbortSignal;
}

export interface SessionView {
  readonly record: SessionRecord;
  readonly result: RunResult | null;
  readonly folder: string;
  /** The problem, when the state could not be written. */
  readonly unsaved?: string;
}

export interface RunOutcome extends SessionView {
  readonly result: RunResult;
  /** The captured answer; null when there was none. */
  readonly answer: string | null;
  /** The checked diff; null when there was none. */
  readonly diff: string | null;
  /** Results that could not be written. */
  readonly problems: readonly WriteProblem[];
}

/** A file of a run that could not be written, or temporary files that could not be removed. */
export interface WriteProblem {
  readonly target:
    | "temporary_files"
    | "result"
    | "json_output"
    | "metrics"
    | "metrics_output"
    | "session"
    | "shared_store";
  /** For a person: the name of the file, and why. */
  readonly message: string;
}

export interface PreviewFile {
  readonly path: string;
  readonly bytes: number;
  readonly tokens: number;
}

/** The request that would be sent, for a dry run (Z-12). */
export interface Preview {
  readonly engine: RunRequest["engine"];
  readonly model: string;
  readonly target: string;
  /** The machine whose browser is used; null for this one. */
  readonly remote: string | null;
  /** How hard the model thinks; null where it is left as it is. */
  readonly effort: string | null;
  /** A tool that the model has, in a page or over an API. */
  readonly tool: PageTool | null;
  readonly promptChars: number;
  /** Questions that are asked after the first. */
  readonly nextCount: number;
  readonly bundle: {
    readonly format: BundleFormat;
    readonly fileCount: number;
    readonly uncompressedBytes: number;
    readonly files: readonly PreviewFile[];
    readonly excluded: readonly { readonly path: string; readonly reason: string }[];
    /** The path of the temporary ZIP; null for text. */
    readonly plannedPath: string | null;
    readonly manifest: unknown;
  };
  /** Images and documents that are attached unchanged. */
  readonly attachments: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly mediaType: string;
  }[];
  readonly tokens: {
    readonly count: number;
    readonly exact: boolean;
    readonly budget: number;
    /** Dollars for the input alone; null when the price is unknown. */
    readonly inputUsd: number | null;
  };
  readonly secretScan: RunResult["secretScan"];
  readonly warnings: readonly string[];
  /** Why a run with the same words would be refused. */
  readonly refusal: string | null;
}

export interface ListedSession {
  readonly id: string;
  readonly view: SessionView | null;
  /** What is known of a session of steipete/oracle, which keeps its sessions in the same folder. */
  readonly upstream: {
    readonly status: string | null;
    readonly createdAt: string | null;
    readonly model: string | null;
    readonly promptPreview: string | null;
  } | null;
  /** Why it cannot be read. */
  readonly problem: string | null;
}

/** An available model. */
export interface ModelLine {
  readonly name: string;
  readonly engine: EngineKind;
  readonly model: string;
  readonly target: string;
  /** `ready` only when the provider just confirmed it. */
  readonly state: "ready" | "untested" | "unready";
  readonly detail: string;
}

export interface PackedBundle {
  readonly path: string | null;
  readonly text: string | null;
  readonly format: BundleFormat;
  readonly fileCount: number;
  readonly bytes: number;
  readonly excluded: readonly { readonly path: string; readonly reason: string }[];
}

export interface Transport {
  /** Reads the prompt and the config files and decides every option. */
  resolve(options: Options, stdin: () => Promise<string | null>): Promise<ResolvedRequest>;
  preview(resolved: ResolvedRequest): Promise<Preview>;
  /** The first message as it would be sent. */
  render(resolved: ResolvedRequest): Promise<string>;
  /** Runs in this process. */
  runHere(resolved: ResolvedRequest, watch: SessionWatch): Promise<RunOutcome>;
  /** Runs in a separate process; resolves as soon as that process has taken over. */
  start(resolved: ResolvedRequest): Promise<SessionView>;
  /** The main function of that process. */
  runHandedOver(sessionId: string, payload: string, ready: () => void, signal: AbortSignal): Promise<RunResult>;
  follow(id: string, watch: SessionWatch): Promise<RunOutcome | SessionView>;
  list(): Promise<ListedSession[]>;
  view(id: string): Promise<SessionView>;
  outcome(id: string): Promise<RunOutcome>;
  cancel(id: string): Promise<SessionView>;
  /** A new session with the options of an old one; an answer that the provider still has is fetched, not requested again. */
  restart(id: string, how: { readonly fresh: boolean; readonly timeout?: string }): Promise<SessionView>;
  remove(ids: readonly string[]): Promise<void>;
  /** Removes sessions that ended longer ago than a time span like `7d`, or, with null, all that ended or are broken; returns their ids. */
  prune(olderThan: string | null, dryRun: boolean): Promise<string[]>;
  doctor(): Promise<DoctorCheck[]>;
  /** All available models, or one by name; `check` probes the provider and is free of charge. */
  models(name: string | null, check: boolean, signal: AbortSignal): Promise<ModelLine[]>;
  pack(resolved: ResolvedRequest, output: string | null): Promise<PackedBundle>;
  /** The answer of a session, or the text of a file. */
  savedAnswer(from: string): Promise<string>;
  /** The diff pipeline on an answer that was saved before. */
  applyAnswer(
    answer: string,
    resolved: ResolvedRequest,
    watch: SessionWatch,
  ): Promise<{ result: RunResult; diff: string | null }>;
}
