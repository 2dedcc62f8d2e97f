// Dependencies that are passed to pure code: clock, ids, hashes, binary tools, and the terminal (`Io`, `TerminalDevice`).
/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Monotonic milliseconds: unaffected when the system clock is changed. */
  passed?(): number;
}

/** For durations, never for timestamps. */
export const passedOn = (clock: Clock): number => clock.passed?.() ?? clock.now();

/** New ids that sort by creation time: `run_…`, `gate_…`. Only [a-z0-9_] and at most 64 characters. */
export interface Ids {
  next(prefix: string): string;
}

/** Hex SHA-256 of bytes or of the UTF-8 form of a text. */
export type Sha256 = (data: Uint8Array | string) => string;

/** The functions that a binary patch needs. */
export interface BinaryTools {
  /** The content of zlib data: exactly `size` bytes, or undefined when the data is broken or has another size. */
  readonly inflate: (packed: Uint8Array, size: number) => Uint8Array | undefined;
  /** Hex SHA-1, the id of content in git. Used for comparison, never for security. */
  readonly sha1: (bytes: Uint8Array) => string;
}

/** The grammar of every id that can become part of a path or a query. */
export const idPattern = /^[a-z][a-z0-9]{0,15}_[a-z0-9]{6,48}$/;

/** Standard streams of a command, and the properties of the reader. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Bytes to standard output, exactly. */
  readonly bytes: (bytes: Uint8Array) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly color: boolean;
  /** Whether stdout is a terminal: untrusted text is shown there without control characters. */
  readonly terminal: boolean;
  /** Whether stderr is a terminal. */
  readonly live: boolean;
  readonly columns: number;
  /** The terminal device when the session is interactive: it can be drawn on, and its keys can be read. */
  readonly device?: (() => Promise<TerminalDevice>) | undefined;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalDevice {
  size(): TerminalSize;
  write(text: string): void;
  /**
   * Calls `text` for each key until the result is disposed of. `changed` is called when the size changes or the process
   * continues after a stop. `restore` is written when the terminal is released, also when the process exits before that.
   */
  take(
    listener: { readonly text: (typed: string) => void; readonly changed: () => void },
    restore: () => string,
  ): Disposable;
  /** Opens the user's editor; null when the user cancelled. Only while the terminal is not taken. */
  edit(text: string): Promise<string | null>;
  /** Suspends this process until the user continues it. */
  stop(): void;
  /** Starts this program again with these arguments, without output on the terminal. It ends with this process at the latest. */
  startBeside(args: readonly string[]): Promise<void>;
}
