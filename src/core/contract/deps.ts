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
