// The port through which a judge looks at the tree that a patch is meant for.

export type EntryKind = "file" | "executable" | "symlink" | "gitlink" | "directory" | "other";

/** Paths are relative to the top of the work tree, with `/`, and no link in them is ever followed. */
export interface TreeReader {
  /** The kind of the entry at the path itself, tracked or not; undefined when there is none. */
  kind(path: string): EntryKind | undefined;
  /** The bytes of a regular file, or the target of a symbolic link; undefined for anything else. */
  content(path: string): Uint8Array | undefined;
  /** True when the work tree's entry differs from the commit: edited, staged, removed, or present and untracked. */
  dirty(path: string): boolean;
  /** Every tracked path, and every untracked one that is not ignored. */
  paths(): Iterable<string>;
}
