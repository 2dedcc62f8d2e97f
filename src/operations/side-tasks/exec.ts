// `exec`: a command runs in the sandbox, as evidence of a run.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { flag, list, text, withDefault } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { run } from "../run-data/fields.ts";

export const exec = define({
  name: "exec",
  group: "Ask agents",
  summary: "Run a command in the sandbox, as evidence of a run",
  more: "Ends with the exit code of the command, and with 1 when a signal or the time limit ended it. A command that did not run ends with a code of ours; --json tells which: only a command that ran has an `exitCode`.",
  examples: ["thehood exec run_0mwh -- npm test", "thehood exec run_0mwh --cwd packages/core -- npm test"],
  effect: "decides",
  input: {
    runId: run,
    cwd: withDefault(text("below the repository", { cli: { value: "dir" } }), ""),
    allowRisky: flag("you allow a command that would be asked about"),
    argv: list(text("a word of the command"), "the command"),
  },
  handle: async (input, context) => (await import("../run-data/exec.ts")).runCommandSideTask(context, input),
  cli: {
    words: ["runId", "argv"],
    passthrough: true,
    exit: ({ command, standing }) => (command ? (command.exitCode ?? exitCodes.failure) : exitOf(standing)),
  },
});
