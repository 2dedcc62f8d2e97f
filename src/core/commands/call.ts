// The interface between the evaluation of a line and the tables of programs: one program call with its arguments, and the
// methods that report what it does.
import type { CommandClass, CommandPlace, Span } from "../contract/index.ts";
import type { Cwd, PathClass } from "./paths/path-class.ts";

/** An argument whose text may be a pattern, with its location in the line. */
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
  /** Their parent folders, each with its slash. */
  readonly under: readonly string[];
  /** Nothing of git's own folder is among them. */
  readonly narrow?: boolean;
  /** None of them begins with a dot. */
  readonly onlyPlain?: true;
  /** The secret file that a filter searches for. */
  readonly sought?: string;
}

/** Whether a file of the workspace holds a secret by its content; `unknown` where it cannot be read. */
export type FileContent = "secret" | "clean" | "unknown";

/** A file compared with the last commit of its repository; one that is not in the commit is `changed`. */
export type BaseFile = "same" | "changed" | "unknown";

export interface CommandCall {
  readonly name: string;
  readonly args: readonly Arg[];
  /** The whole command. */
  readonly span: Span;
  readonly feed: Feed;
  readonly cwd: Cwd;
  readonly where: CommandPlace;
  /** The project has this tool installed, so a package runner downloads nothing for it. */
  isInstalled(tool: string): boolean;
  /** Whether a file of the workspace is unchanged since the last commit; `unknown` without a commit. */
  baseFile(path: string): BaseFile;
  /** The class of the path, relative to `cwd` or by default to the folder of this call. */
  placeOf(path: string, cwd?: Cwd): PathClass;
  /** The path is outside the workspace. */
  isAway(path: string): boolean;
  /** In a sandbox: the path is in no folder that exists, so nothing can be there. */
  isNowhere(path: string): boolean;
  /** `gated` requires approval even where the class alone would not. */
  report(name: CommandClass, why: string, at?: { readonly span: Span }, gated?: boolean): void;
  /** Judges arguments as a separate command: the command that a wrapper starts. */
  run(args: readonly Arg[]): void;
  /** Judges text as a shell line: the argument of `sh -c`. */
  code(arg: Arg): void;
  /** Judges text that may be a line for another machine or program: only findings worse than unknown count. */
  suspect(arg: Arg): void;
  /** The program reads this path. */
  read(arg: Arg): void;
  /** The program reads everything below this path. */
  readAll(arg: Arg): void;
  /** The program writes this path. */
  write(arg: Arg): void;
  /** The program deletes or empties this path. */
  remove(arg: Arg, why: string): void;
  /** The program deletes what was built, or uncommitted edits, in the current folder. */
  discard(why: string, at?: { readonly span: Span }): void;
  /** The program runs code of the project whose content is unknown; false when that needs approval. */
  runsOwnCode(why: string, at?: { readonly span: Span }): boolean;
  moveTo(path: string): void;
}

export type ProgramJudge = (call: CommandCall) => void;
export type ProgramJudges = Readonly<Record<string, ProgramJudge>>;
