// What a rule about paths is made of: the kinds of files, and patterns written as lists of alternatives.

const pathKinds = [
  "test",
  "fixture",
  "snapshot",
  "eval",
  "ci",
  "manifest",
  "lockfile",
  "dependency",
  "build",
  "lint",
  "runner",
  "hook",
  "agent",
  "editor",
  "registry",
  "container",
  "environment",
  "git",
  "state",
  "auth",
  "schema",
  "docs",
  "source",
] as const;
export type PathKind = (typeof pathKinds)[number];

export interface PathRule {
  readonly kinds: readonly PathKind[];
  /** exec: makes a program run something, or steers an agent. protected: holds or configures the checks of a change. */
  readonly level: "exec" | "protected" | "plain";
  /** One match is enough: of the last segment, of a folder above it, or of the whole path. */
  readonly name?: RegExp;
  /** Like `name`, for names that begin with a dot. Most names do not, and V8 compiles a pattern at its first use. */
  readonly hidden?: RegExp;
  readonly folder?: RegExp;
  readonly path?: RegExp;
  /** Like `name` and `folder`, but case sensitive. Tested only against names with a capital letter. */
  readonly cased?: { readonly name?: RegExp; readonly folder?: RegExp };
}

/** The alternatives of a list, separated by white space, as one group. Each is a regular expression in lower case. */
export const anyOf = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  `(?:${String.raw(parts, ...values)
    .trim()
    .split(/\s+/)
    .join("|")})`;

/** A name that is one of the alternatives, from its first character to its last. */
export const exactly = (parts: TemplateStringsArray, ...values: readonly string[]): RegExp =>
  new RegExp(`^${anyOf(parts, ...values)}$`);

/** A name that is a dot and one of the alternatives. */
export const hiddenName = (parts: TemplateStringsArray, ...values: readonly string[]): RegExp =>
  new RegExp(`^\\.${anyOf(parts, ...values)}$`);

/** A path that starts with one of the alternatives. */
export const startOf = (parts: TemplateStringsArray, ...values: readonly string[]): RegExp =>
  new RegExp(`^${anyOf(parts, ...values)}`);

/** Endings of files that configure a program. */
export const configEnding = "(?:[cm]?[jt]sx?|jsonc?|ya?ml|toml)";
