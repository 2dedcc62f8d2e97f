// The port for sessions that several machines see.

/** The files of a session by their names. */
export type SessionFiles = ReadonlyMap<string, Uint8Array>;

export interface ShelvedSession {
  readonly id: string;
  /** Grows with each change. */
  readonly version: number;
  /** The time since the last sign of life, by the clock of the shelf. */
  readonly silentMs: number;
  readonly files: SessionFiles;
}

interface SessionChange {
  readonly files: SessionFiles;
  readonly gone: readonly string[];
  /** The version that the change was made from; undefined for the machine that made the session: its word counts. */
  readonly expected: number | undefined;
}

export interface SessionShelf {
  /** Puts a new session there; false when another session has its name. */
  add(id: string, files: SessionFiles): Promise<boolean>;
  /** The new version; undefined when the session is gone, or has another version than expected. */
  save(id: string, change: SessionChange): Promise<number | undefined>;
  list(): Promise<Omit<ShelvedSession, "files">[]>;
  /** Sessions with all of their files, or with the named ones. */
  load(ids: readonly string[], names?: readonly string[]): Promise<ShelvedSession[]>;
  remove(id: string): Promise<void>;
}
