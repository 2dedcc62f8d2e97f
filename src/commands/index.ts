// The door of this room: a shell line in, its class and the reasons out.
import type { CommandVerdict } from "../contract/index.ts";
import { createJudge } from "./judge.ts";
import { type ParserBytes, loadShellParser } from "./parser.ts";

interface ClassifyOptions {
  /** Absolute path of the workspace; absolute paths below it count as inside. */
  readonly root?: string;
  /** Tools that are installed in the project: `npx` runs such a one and fetches nothing. */
  readonly installed?: readonly string[];
}

export interface CommandJudge {
  /** A whole shell line, as `bash -c` would take it. */
  classify(line: string, options?: ClassifyOptions): CommandVerdict;
  /** An argument vector that no shell will read again; spans point into its quoted form. */
  classifyArgv(argv: readonly string[], options?: ClassifyOptions): CommandVerdict;
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
