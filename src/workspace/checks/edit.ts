// A file of a scratch tree that is made another one before a check runs on it.
export interface Edit {
  readonly path: string;
  /** null removes the file. */
  readonly text: string | null;
}
