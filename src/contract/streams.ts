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
}
