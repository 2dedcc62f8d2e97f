// The door of this room: a shell line in, its class and the reasons out.
import type { CommandVerdict } from "../contract/index.ts";
import { type KnownWorkspace, createJudge } from "./judge.ts";
import { type ParserBytes, loadShellParser } from "./evaluate/tree.ts";

export type { KnownWorkspace } from "./judge.ts";

export interface CommandJudge {
  /** A whole shell line, as `bash -c` would take it. */
  classify(line: string, options?: KnownWorkspace): CommandVerdict;
  /** An argument vector that no shell will read again; spans point into its quoted form. */
  classifyArgv(argv: readonly string[], options?: KnownWorkspace): CommandVerdict;
}

export async function loadCommandJudge(bytes: ParserBytes): Promise<CommandJudge> {
  const judge = createJudge(await loadShellParser(bytes));
  return {
    classify: (line, options) => judge(line, options),
    classifyArgv: (argv, options) => judge(quoteArgv(argv), options),
  };
}

/** The line a shell would read as exactly these words. */
const quoteArgv = (argv: readonly string[]) =>
  argv
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) && !/^\w+=/.test(word)
        ? word
        : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(" ");
