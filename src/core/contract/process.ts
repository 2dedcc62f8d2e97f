// The port that runs programs: with limits, in a sandbox where possible, and without descendants left at the end.
import type { CommandClass } from "./judge.ts";

export interface CommandRequest {
  /** argv; for a shell line the caller passes `["bash", "-c", line]`. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Folders that may be written besides a private temporary folder. Everything else is read-only. */
  readonly writable: readonly string[];
  /** Folders that are visible although their location is hidden by default, such as the user's home. The work tree
   * around `cwd` and the checkout that owns it are always visible. */
  readonly readable?: readonly string[];
  /** Paths that belong to the program itself, such as its login: visible although their location is hidden by default.
   * Files or folders; a path that does not exist is skipped. */
  readonly own?: readonly ProgramPath[];
  /** The program confines its children by its own namespaces, so creating namespaces stays possible. Read-only and hidden
   * paths stay so in them. */
  readonly nested?: boolean;
  /** Folders and files that cannot be read. */
  readonly hidden?: readonly string[];
  /** Secrets of the checkout that the program must not see. */
  readonly secrets?: HiddenSecrets;
  /** A folder that is mounted at another path. Without a sandbox it is visible at its real path. */
  readonly shown?: ShownFolder;
  /** The user's environment is passed on, without secrets and without this program's own variables. */
  readonly inherit?: boolean;
  /** Allowed only when a gate allowed it. */
  readonly network: boolean;
  /** Variables to set; nothing is inherited but a small fixed list. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text that is appended to the variable's own value, with the separator between them. */
  readonly envAppended?: Readonly<Record<string, readonly [separator: string, text: string]>>;
  readonly stdin?: Uint8Array | string;
  /** Instead of `stdin`: called once with the program's input, so that `onOutput` can reply to the program's output. */
  readonly converse?: (input: CommandInput) => void;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** Called with each chunk of output as it arrives, within `maxOutputBytes`: for progress, or to reply to it. */
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

/** The open input of a running program. */
export interface CommandInput {
  /** False, and nothing is written, when the input is closed or the program leaves too much of it unread. */
  write(text: string): boolean;
  end(): void;
}

/** Files of the checkout that hold logins by their name are hidden, and logins in git's configuration are removed. */
export interface HiddenSecrets {
  /** Paths from the top of the checkout that the user allows nevertheless. */
  readonly allowed: readonly string[];
  /** A private folder for the copies that are shown instead. */
  readonly copies: string;
}

export interface ProgramPath {
  readonly path: string;
  /** `private`: a writable folder that is empty at the start and discarded at the end. */
  readonly access: "read" | "write" | "private";
  /** The path whose content is mounted there instead of the real one. */
  readonly from?: string;
}

/** `cwd` and `writable` name the folder by its real path. */
export interface ShownFolder {
  readonly folder: string;
  readonly at: string;
  /** Read-only mounts in it: `path` is relative to the folder and must exist there; its content is that of `from`. */
  readonly lent: readonly { readonly path: string; readonly from: string }[];
}

export interface CommandOutcome {
  /** null when the program was killed or did not start. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ended: "exited" | "timeout" | "aborted" | "output_limit" | "not_started";
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly truncated: boolean;
  readonly durationMs: number;
  /** The actual confinement of the program, for the record. */
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
  /** The confinement that a program will have here, before it is started. */
  confinement(): Promise<"bubblewrap" | "none">;
  /** Whether a confined program can confine its own children (`nested`): some systems allow only one level. */
  nests(): Promise<boolean>;
}

/** The permission of one command, as it is recorded (R-33, S-3). */
export interface PermissionDecision {
  readonly decision: "allowed" | "allowed_explicit_user" | "allowed_by_policy" | "denied";
  readonly class: CommandClass;
  readonly why: string;
}
