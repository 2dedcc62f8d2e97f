// The port by which the runtime runs programs: bounded, sandboxed where it can be, gone at the end.
import type { CommandClass } from "./judge.ts";

export interface CommandRequest {
  /** argv; a shell line is `["bash", "-c", line]`, said by the caller, never implied. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Folders that may be written besides a private temporary folder. Everything else is read-only. */
  readonly writable: readonly string[];
  /** Folders to be seen although they lie in a place that is hidden by habit, such as the user's home. The work tree
   * around `cwd` and the checkout that owns it are always seen. */
  readonly readable?: readonly string[];
  /** Paths that belong to the program itself, such as its login: seen although they lie in a place that is usually hidden.
   * Files or folders; a path that does not exist is left out. */
  readonly own?: readonly ProgramPath[];
  /** The program confines what it starts by namespaces of its own, so making them stays possible. What is read-only or
   * hidden here stays so in them. */
  readonly nested?: boolean;
  /** Folders and files that may not even be read. */
  readonly hidden?: readonly string[];
  /** Secrets of the checkout that the program is not to see. */
  readonly secrets?: HiddenSecrets;
  /** A folder that the program sees at another place. Without a sandbox it is seen where it lies. */
  readonly shown?: ShownFolder;
  /** The user's own variables are passed on, without secrets and without those that tell of this program. */
  readonly inherit?: boolean;
  /** Allowed only when a gate allowed it. */
  readonly network: boolean;
  /** Variables to set; nothing is inherited but a small fixed list. */
  readonly env?: Readonly<Record<string, string>>;
  /** Words that are put behind the variable's own value, with the separator between them. */
  readonly envAppended?: Readonly<Record<string, readonly [separator: string, words: string]>>;
  readonly stdin?: Uint8Array | string;
  /** Instead of `stdin`: called once with the program's input, so that `onOutput` can answer what the program says. */
  readonly converse?: (input: CommandInput) => void;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** Called with each piece of output as it comes, within `maxOutputBytes`: for progress, or to answer it. */
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

/** The open input of a running program. */
export interface CommandInput {
  /** False, and nothing is written, when the input is closed or the program leaves too much of it unread. */
  write(text: string): boolean;
  end(): void;
}

/** Files of the checkout that hold logins by their name are hidden, and logins in git's configuration left out. */
export interface HiddenSecrets {
  /** Paths from the top of the checkout that the user allows all the same. */
  readonly allowed: readonly string[];
  /** A private folder for the copies that are shown instead. */
  readonly copies: string;
}

export interface ProgramPath {
  readonly path: string;
  /** `private`: a folder that is empty at the start, may be written, and is forgotten. */
  readonly access: "read" | "write" | "private";
  /** The content that is seen there instead of the real one. */
  readonly from?: string;
}

/** `cwd` and `writable` name the folder by the place where it really lies. */
export interface ShownFolder {
  readonly folder: string;
  readonly at: string;
  /** Read-only in it: `path` is relative to the folder, and must exist there to carry what lies at `from`. */
  readonly lent: readonly { readonly path: string; readonly from: string }[];
}

export interface CommandOutcome {
  /** null when the program did not exit by itself. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ended: "exited" | "timeout" | "aborted" | "output_limit" | "not_started";
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly truncated: boolean;
  readonly durationMs: number;
  /** The confinement that the program really had, for the record. */
  readonly sandbox: {
    readonly kind: "bubblewrap" | "none";
    readonly network: boolean;
    readonly note?: string;
  };
  /** Why it could not be started, when it was not. */
  readonly error?: string;
}

export interface CommandRunner {
  run(request: CommandRequest): Promise<CommandOutcome>;
  /** The confinement that a program will have here, known before it is started. */
  confinement(): Promise<"bubblewrap" | "none">;
  /** Whether a confined program can confine its own children (`nested`): some systems allow the one and not the other. */
  nests(): Promise<boolean>;
}

/** The record of one command (R-33, S-3). Output lies in artifacts, redacted. */
export interface PermissionDecision {
  readonly decision: "allowed" | "allowed_explicit_user" | "allowed_by_policy" | "denied";
  readonly class: CommandClass;
  readonly why: string;
}
