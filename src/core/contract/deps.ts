// Things that the pure rooms are handed because they may not reach for them: time, names, hashes, a stop signal.
/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Milliseconds since some moment: goes on evenly when a person or a time server moves the clock. */
  passed?(): number;
}

/** For the length of a thing; never for the moment of one. */
export const passedOn = (clock: Clock): number => clock.passed?.() ?? clock.now();

/** Fresh names that sort by creation time: `run_…`, `gate_…`. Only [a-z0-9_] and at most 64 characters. */
export interface Ids {
  next(prefix: string): string;
}

/** Hex SHA-256 of bytes or of the UTF-8 form of a text. */
export type Sha256 = (data: Uint8Array | string) => string;

/** The functions that a binary patch needs. */
export interface BinaryTools {
  /** The content of zlib data: exactly `size` bytes, or undefined when the data is broken or holds another number. */
  readonly inflate: (packed: Uint8Array, size: number) => Uint8Array | undefined;
  /** Hex SHA-1, by which git names a content. Used to compare, never to protect. */
  readonly sha1: (bytes: Uint8Array) => string;
}

/** The grammar of every id that can become part of a path or a query. */
export const idPattern = /^[a-z][a-z0-9]{0,15}_[a-z0-9]{6,48}$/;

/** Text to a person or a program, and what is known of the reader. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Bytes to standard output, exactly. */
  readonly bytes: (bytes: Uint8Array) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly color: boolean;
  /** Whether a person sees stdout: what others wrote is shown there without control characters. */
  readonly terminal: boolean;
  /** Whether a person sees stderr live. */
  readonly live: boolean;
  readonly columns: number;
  /** The terminal itself, where a person sits at it: it can be drawn on, and its keys can be heard. */
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
   * Hears each key as it is typed, until it is disposed of. `changed` is called when the size changed or the process goes on
   * after a stop. `restore` is written when the terminal is given back, also when the process exits in between.
   */
  take(
    hears: { readonly text: (typed: string) => void; readonly changed: () => void },
    restore: () => string,
  ): Disposable;
  /** Lets the person write in their editor; null when they gave up. Only while the terminal is not taken. */
  edit(text: string): Promise<string | null>;
  /** Stops this process until the person continues it. */
  stop(): void;
  /** Starts this program once more with these words, without a word on the terminal. It ends with this process at the latest. */
  startBeside(words: readonly string[]): Promise<void>;
}
