// Makes commander's program out of the tables. Bodies of commands are loaded when they are called.
import { Command, CommanderError, Option } from "commander";
import { optionHelp } from "../../contract/transport/index.ts";
import { flagName, jsonHelp, rootExtras, runFlags, subs } from "./flags.ts";
import { rootHelp, tagline } from "./help.ts";
import type { Flag } from "./spec.ts";

export { CommanderError };

export type Given = Record<string, unknown>;

/** What happens when a command is called. */
export interface Actions {
  run(given: Given): Promise<void>;
  command(name: string, words: readonly string[], given: Given): Promise<void>;
  /** Where help and version go. */
  readonly out: (text: string) => void;
}

/** A switch, one value, or several; the choices stand in the help and in every error about it. */
export function optionOf(flag: Flag): Option {
  const long = flagName(flag.option);
  const value = flag.value === undefined ? "" : flag.many ? ` <${flag.value}...>` : ` <${flag.value}>`;
  const option = new Option(
    `${flag.short ? `-${flag.short}, ` : ""}${long}${value}`,
    optionHelp[flag.option],
  );
  if (flag.choices) option.choices([...flag.choices]);
  if (flag.number) option.argParser(numberOf(long));
  return option.helpGroup(`${flag.group}:`);
}

const numberOf = (long: string) => (text: string) => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CommanderError(1, "commander.invalidArgument", `error: ${long} ${text} is not a whole number`);
};

function addFlags(command: Command, flags: readonly Flag[]): Command {
  for (const flag of flags) {
    command.addOption(optionOf(flag));
    if (flag.negatable === true)
      command.addOption(new Option(`--no-${flagName(flag.option).slice(2)}`).hideHelp());
  }
  return command;
}

export function buildProgram(version: string, actions: Actions): Command {
  const program = new Command("oracle")
    .description(tagline)
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeOut: actions.out, writeErr: () => undefined });
  addFlags(program, runFlags);
  for (const { flags, help, group, choices, preset } of rootExtras) {
    const option = new Option(flags, help).helpGroup(`${group}:`);
    if (choices) option.choices([...choices]);
    if (preset !== undefined) option.preset(preset);
    program.addOption(option);
  }
  program.action((_: unknown, command: Command) => actions.run(command.opts()));
  addCommands(program, actions);
  program.helpInformation = () => rootHelp();
  return program;
}

function addCommands(program: Command, actions: Actions): void {
  for (const sub of subs) {
    const command = program.command(`${sub.name}${sub.args === undefined ? "" : ` ${sub.args}`}`);
    command.description(sub.summary).allowExcessArguments(false);
    addFlags(
      command,
      runFlags.filter((flag) => sub.run?.includes(flag.option)),
    );
    for (const [flags, help] of sub.options ?? []) command.option(flags, help);
    if (sub.name !== "mcp") command.option("--json", jsonHelp);
    command.action((...args: unknown[]) => {
      const words = args
        .slice(0, -2)
        .flat()
        .filter((word) => typeof word === "string");
      return actions.command(sub.name, words, command.opts());
    });
  }
  program
    .command("run-session <id>", { hidden: true })
    .action((id: string) => actions.command("run-session", [id], {}));
}
