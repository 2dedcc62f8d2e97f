// The command line of `oracle`: parses, calls the command's body, turns failures into messages and exit codes.
import { flagName, runFlags } from "./flags.ts";
import { rootHelp } from "./help.ts";
import type { OracleWorld } from "./spec.ts";

export type { Io, OracleWorld } from "./spec.ts";

/** The parser names the flag; what it takes is added here (Z-1). */
function usageRemedy(message: string): string {
  const named = /option '(?:-\w, )?(--[a-z-]+)/.exec(message)?.[1];
  const flag = runFlags.find(({ option }) => flagName(option) === named);
  if (flag?.choices) return `${named} takes one of: ${flag.choices.join(", ")}`;
  return "Run: oracle --help";
}

export async function runOracle(argv: readonly string[], world: OracleWorld): Promise<number> {
  // The two most asked questions are answered without loading anything.
  if (argv.length === 1 && ["--help", "-h", "help"].includes(argv[0] ?? "")) {
    world.io.out(rootHelp());
    return 0;
  }
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    world.io.out(`${world.version}\n`);
    return 0;
  }
  return await parseAndRun(argv, world);
}

async function parseAndRun(argv: readonly string[], world: OracleWorld): Promise<number> {
  const { CommanderError, buildProgram } = await import("./program.ts");
  let exitCode = 0;
  const program = buildProgram(world.version, {
    out: world.io.out,
    run: async (given) => {
      const { runCommand } = await import("./commands/run.ts");
      exitCode = await runCommand(given, world);
    },
    command: async (name, words, given) => {
      const { subcommand } = await import("./commands/index.ts");
      exitCode = await subcommand(name, words, given, world);
    },
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { reportFailure } = await import("./failure.ts");
    const { FailureError } = await import("../../contract/index.ts");
    const told =
      error instanceof CommanderError
        ? new FailureError({
            code: "invalid_input",
            message: error.message.replace(/^error: /, ""),
            remedy: usageRemedy(error.message),
          })
        : error;
    return reportFailure(told, world.io, argv.includes("--json"));
  }
}
