// The surroundings of a text that is judged, and the judge that the walk calls again for a text inside the text.
import type { Span } from "../../contract/index.ts";
import type { BaseFile, Feed, FileContent } from "../call.ts";
import type { Cwd } from "../paths/path-class.ts";
import type { CommandFinding } from "../verdict.ts";

export interface Setting {
  readonly depth: number;
  readonly cwd: Cwd;
  readonly feed: Feed;
  readonly root: string | undefined;
  /** Tools that are installed in the project. */
  readonly installed: ReadonlySet<string>;
  /** By path from the top of the workspace. */
  readonly baseFile: (path: string) => BaseFile;
  readonly content: (path: string) => FileContent;
  /** How much work one line may still cause, shared by all that is nested in it. */
  readonly budget: { left: number };
  /** From a place in this text to a place in the line the user sees. */
  readonly locate: (span: Span) => Span;
}

export type JudgeText = (text: string, setting: Setting) => CommandFinding[];
