// A parsed patch, and the tree it is judged against. Text is kept as byte strings (one UTF-16 unit per byte, 0-255), so
// that every byte is preserved.

/** A path as a header spells it. `path` is the decoded name without its `a/` or `b/`; `bytes` the same as a byte string. */
export interface Name {
  readonly prefix: string;
  readonly bytes: string;
  readonly path: string;
  /** How it was written: bare, or in quotes with the high bytes as octal or raw. */
  readonly quoting: "bare" | "octal" | "raw";
}

/** `--- ` and `+++ ` lines. `name` is null for /dev/null; `tail` is what follows the name (a tab, a time stamp). */
export interface FileLine {
  readonly name: Name | null;
  readonly tail: string;
}

export type ExtendedHeader =
  | { readonly kind: "oldMode" | "newMode" | "newFile" | "deletedFile"; readonly mode: string }
  | { readonly kind: "similarity" | "dissimilarity"; readonly percent: number }
  | { readonly kind: "renameFrom" | "renameTo" | "copyFrom" | "copyTo"; readonly name: Name }
  | { readonly kind: "index"; readonly from: string; readonly to: string; readonly mode?: string };

export interface HunkRange {
  readonly start: number;
  readonly count: number;
  /** git omits a count of 1; each spelling is printed as it was read. */
  readonly counted: boolean;
}

export interface Hunk {
  readonly old: HunkRange;
  readonly new: HunkRange;
  /** The text after the second `@@`, with its leading space. */
  readonly heading: string;
  /** The lines of the hunk as read, with markers and line ends. */
  readonly body: string;
  /** 1-based line of the patch where the hunk starts. */
  readonly line: number;
}

export interface BinaryPart {
  readonly method: "literal" | "delta";
  readonly size: number;
  /** The base85 lines as read, each with its line end. */
  readonly data: string;
}

export type SectionBody =
  | { readonly kind: "none" }
  | { readonly kind: "hunks"; readonly hunks: readonly Hunk[] }
  | { readonly kind: "binary"; readonly forward: BinaryPart; readonly reverse?: BinaryPart }
  /** `Binary files … differ`: names a change without its data. */
  | { readonly kind: "binary-notice"; readonly text: string };

export type ChangeKind = "modify" | "create" | "delete" | "rename" | "copy";

export interface Section {
  /** 1-based line of the `diff --git` header. */
  readonly line: number;
  /** The text between the previous section (or the start) and this header: mail headers, prose, blank lines. */
  readonly before: string;
  readonly header: { readonly old: Name; readonly new: Name };
  readonly extended: readonly ExtendedHeader[];
  readonly files: { readonly old: FileLine; readonly new: FileLine } | null;
  readonly body: SectionBody;
  readonly change: ChangeKind;
  /** The path read (null when the file is created) and the path written (null when it is deleted). */
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly oldMode: string | null;
  readonly newMode: string | null;
}

export interface Patch {
  readonly sections: readonly Section[];
  /** The text after the last section: a mail signature, prose, blank lines. */
  readonly after: string;
  /** Line end of the header lines; content lines carry their own. */
  readonly eol: "\n" | "\r\n";
}

export type EntryKind = "file" | "executable" | "symlink" | "gitlink" | "directory" | "other";

/** Paths are relative to the top of the work tree, with `/`. No link in a path is followed. */
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
