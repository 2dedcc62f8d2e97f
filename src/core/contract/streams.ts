// The standard streams of a program, as its surface sees them.

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
