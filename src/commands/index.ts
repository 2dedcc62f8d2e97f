// The door of this room: a shell line in, its class and the reasons out.
import type { CommandVerdict } from "../contract/index.ts";
import { type ParserBytes, loadShellParser } from "./parser.ts";

export interface ClassifyOptions {
  /** Absolute path of the workspace; absolute paths below it count as inside. */
  readonly root?: string;
}

export interface CommandJudge {
  /** A whole shell line, as `bash -c` would take it. */
  classify(line: string, options?: ClassifyOptions): CommandVerdict;
  /** An argument vector that no shell will read again; spans point into its quoted form. */
  classifyArgv(argv: readonly string[], options?: ClassifyOptions): CommandVerdict;
}

export type { ParserBytes };

export async function loadCommandJudge(bytes: ParserBytes): Promise<CommandJudge> {
  const parse = await loadShellParser(bytes);
  const classify = (line: string): CommandVerdict => {
    parse(line, (root) => root.hasError);
    return { class: "unknown", gated: true, why: "Not judged yet", parts: [] };
  };
  return { classify, classifyArgv: (argv) => classify(argv.join(" ")) };
}
