// Every command, as data. Bodies are loaded when they are called.
import { checkTable } from "./commands/check-table.ts";
import { completionScript, shells } from "./completion.ts";
import type { CommandSpec } from "./spec.ts";

export const table: readonly CommandSpec[] = [
  ...checkTable,
  {
    name: "completion",
    group: "Set up",
    summary: "Print completions for a shell",
    args: [{ name: "shell", help: `a shell (${shells.join(", ")})` }],
    examples: ["source <(thehood completion bash)"],
    load: async () => ({
      run: async (call) => {
        call.io.out(completionScript(call.words["shell"] ?? "", table));
        return 0;
      },
    }),
  },
];
