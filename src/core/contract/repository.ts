// The state of a repository, as git reports it.

export interface StatusEntry {
  readonly path: string;
  /** Two letters as `git status --short` shows them; `??` untracked, `!!` ignored. */
  readonly code: string;
}

export interface RepositoryState {
  /** null before the first commit. */
  readonly head: string | null;
  /** null when HEAD is detached. */
  readonly branch: string | null;
  readonly upstream: string | null;
  readonly ahead: number;
  readonly behind: number;
  /** Addresses without user names, passwords or tokens. */
  readonly remotes: readonly { readonly name: string; readonly url: string }[];
  readonly status: readonly StatusEntry[];
  readonly clean: boolean;
}
