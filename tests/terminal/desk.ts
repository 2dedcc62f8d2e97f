// A repository with runs, and the program in a terminal there.
import process from "node:process";
import { bin, type Desk, fixing, openTestDesk, stub } from "../cli/program.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

export interface Size {
  readonly columns?: number;
  readonly rows?: number;
}

export interface TerminalDesk extends Desk {
  /** The program with these words in a terminal. */
  open(words: readonly string[], size?: Size, env?: NodeJS.ProcessEnv): TestTerminal;
  /** Starts a run that stands at its first gate, and gives its id. */
  waiting(goal: string, script?: unknown): string;
}

export function openTerminalDesk(): TerminalDesk {
  const desk = openTestDesk();
  desk.thehood(["teams", "apply", "stub"]);
  const { NO_COLOR: _, ...env } = desk.env;
  return {
    ...desk,
    open: (words, size = {}, more = {}) =>
      openTerminal({
        argv: [process.execPath, bin, ...words],
        cwd: desk.repo.dir,
        env: { ...env, ...more },
        ...size,
      }),
    waiting: (goal, script = fixing) =>
      desk.thehood(["run", goal, "--json", ...stub(script)]).json<{ runId: string }>().runId,
  };
}

/** The words of a gate that wants a phrase. */
export const phrase = "apply isolated patch";
