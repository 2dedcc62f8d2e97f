// The command that prints shell completions of a program, derived from its operations; the scripts are loaded with it.
import { defineFor, text } from "../../operations/define/index.ts";
import { commonOptions, type CommandSpec, type OptionSpec } from "./spec.ts";

export const completionShells = ["bash", "zsh", "fish", "powershell"] as const;

/** The command needs the whole table, which it is a part of: it is handed in. */
export const completionOperation = (
  program: string,
  table: () => readonly CommandSpec[],
  common: readonly OptionSpec[] = commonOptions,
  root?: CommandSpec,
) =>
  defineFor<unknown>()({
    name: "completion",
    group: "Set up",
    summary: "Print completions for a shell",
    examples: [
      `source <(${program} completion bash)`,
      `source <(${program} completion zsh)`,
      `${program} completion fish | source`,
    ],
    more: "The line in an example works in the shell that is open. To have it in each new shell, add the line to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.",
    effect: "reads",
    input: {
      shell: text(`a shell (${completionShells.join(", ")})`, { cli: { suggest: completionShells } }),
    },
    handle: async ({ shell }) => ({
      shell,
      script: (await import("./completion-scripts.ts")).completionScript(
        { name: program, common, root },
        shell,
        table(),
      ),
    }),
    cli: { args: ["shell"] },
  });
