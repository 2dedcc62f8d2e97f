// One program being called, as the tables of programs see it: its words, and the ways to say what they mean.
import type { CommandClass, Span } from "../contract/index.ts";
import type { Cwd, PathClass } from "./paths/path-class.ts";

/** A word whose text may be a pattern, with the place in the line it came from. */
export interface Arg {
  readonly text: string;
  readonly span: Span;
}

/** The text on standard input. */
export type Feed =
  | { readonly kind: "none" }
  /** `exact` when every character is known. */
  | { readonly kind: "text"; readonly text: string; readonly exact: boolean; readonly span: Span }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "unknown"; readonly span: Span; readonly names?: ListedNames };

/** Lines that are names of files. */
export interface ListedNames {
  /** The folders they lie below, each with its slash. */
  readonly under: readonly string[];
  /** None of them begins with a dot. */
  readonly onlyPlain?: true;
  /** The secret file that a filter is after. */
  readonly sought?: string;
}

/** Whether a file of the workspace holds a secret by its content; `unknown` where it cannot be read. */
export type FileContent = "secret" | "clean" | "unknown";

/** A file against the last commit of its repository; one that the commit does not hold is `changed`. */
export type BaseFile = "same" | "changed" | "unknown";

export interface CommandCall {
  readonly name: string;
  readonly args: readonly Arg[];
  /** The whole command. */
  readonly span: Span;
  readonly feed: Feed;
  readonly cwd: Cwd;
  /** The project has this tool installed, so a package runner fetches nothing for it. */
  isInstalled(tool: string): boolean;
  /** Whether a file of the workspace is as the last commit holds it; `unknown` where no commit can be asked. */
  baseFile(path: string): BaseFile;
  /** Where the path leads, seen from `cwd` or by default from the folder of this call. */
  placeOf(path: string, cwd?: Cwd): PathClass;
  /** The path leads out of the workspace. */
  isAway(path: string): boolean;
  /** `gated` asks even where the class alone would not. */
  report(name: CommandClass, why: string, at?: { readonly span: Span }, gated?: boolean): void;
  /** Judges words as a command of their own: the command that a wrapper starts. */
  run(args: readonly Arg[]): void;
  /** Judges text as a shell line: the text that `sh -c` gets. */
  code(arg: Arg): void;
  /** Judges text that may be a line for another machine or program: only what is worse than unknown counts. */
  suspect(arg: Arg): void;
  /** The program reads this path. */
  read(arg: Arg): void;
  /** The program reads everything below this path. */
  readAll(arg: Arg): void;
  /** The program writes this path. */
  write(arg: Arg): void;
  moveTo(path: string): void;
}

export type ProgramJudge = (call: CommandCall) => void;
export type ProgramJudges = Readonly<Record<string, ProgramJudge>>;
