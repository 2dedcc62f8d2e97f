// One way to break a promise: a text of the code, its replacement, and the tests that must notice.
export interface Mutant {
  readonly id: string;
  /** The promise that the broken code no longer keeps, with its clause. */
  readonly promise: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** Test files, or a file, a # and words of a title. */
  readonly tests: readonly string[];
}

/** Mutants of one file that the same tests notice: id, promise, text, replacement. */
export const allIn = (
  file: string,
  tests: readonly string[],
  rows: readonly (readonly [id: string, promise: string, search: string, replace: string])[],
): Mutant[] => rows.map(([id, promise, search, replace]) => ({ id, promise, file, search, replace, tests }));
