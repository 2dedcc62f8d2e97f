// Makes commander's program out of the tables. Bodies of commands are loaded when they are called.
import { Command, CommanderError, Option } from "commander";
import { optionHelp, previewModes } from "../../contract/transport/index.ts";
import { flagName, runFlags } from "./flags.ts";
import type { Flag } from "./spec.ts";

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
  const option = new Option(`${flag.short ? `-${flag.short}, ` : ""}${long}${value}`, optionHelp[flag.option]);
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

const json = () => new Option("--json", "print one JSON document on stdout").helpGroup("Session and output:");

export function buildProgram(version: string, actions: Actions): Command {
  const program = new Command("oracle")
    .description("Carries a request with its files to a model and brings the answer and a checked diff back.")
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeOut: actions.out, writeErr: () => undefined });
  addFlags(program, runFlags);
  const preview = "Preview:";
  const output = "Session and output:";
  program
    .addOption(
      new Option("--dry-run [mode]", "show what would be sent and stop")
        .choices([...previewModes])
        .preset("summary")
        .helpGroup(preview),
    )
    .addOption(new Option("--render", "print the whole message and stop").helpGroup(preview))
    .addOption(new Option("--files-report", "show what each file costs").helpGroup(preview))
    .addOption(new Option("--count-tokens", "count tokens exactly instead of estimating").helpGroup(preview))
    .addOption(json())
    .addOption(new Option("--wait", "wait for the answer (default)").helpGroup(output))
    .addOption(new Option("--no-wait", "start the run and leave").helpGroup(output))
    .addOption(new Option("-q, --quiet", "no progress on stderr").helpGroup(output))
    .action((_: unknown, command: Command) => actions.run(command.opts()));
  addCommands(program, actions);
  return program;
}

interface Sub {
  readonly name: string;
  readonly summary: string;
  readonly args?: string;
  readonly options?: readonly (readonly [string, string])[];
  readonly run?: readonly string[];
}

/** Options of a run that make sense for making a bundle, and for the diff pipeline alone. */
const bundling = ["file", "browserBundleFiles", "browserBundleFormat", "lineNumbers", "maxFileSize", "maxTotalSize"];
const applying = [
  "emitDiffOnly", "strictDiff", "restrictPathPrefix", "diffOutput", "applyMode", "gitRoot", "branch",
  "commitMessage", "push", "approvePath", "jsonOutput",
]; // prettier-ignore

const subs: readonly Sub[] = [
  { name: "status", summary: "list sessions", options: [["--limit <count>", "how many (20)"], ["--all", "all of them"]] },
  { name: "session", args: "<id>", summary: "show one session and its answer" },
  { name: "attach", args: "<id>", summary: "follow a running session and print its answer", options: [["-q, --quiet", "no progress on stderr"]] },
  { name: "cancel", args: "<id>", summary: "end a running session" },
  {
    name: "restart",
    args: "<id>",
    summary: "run a session's request again, or fetch the answer that waits at the provider",
    options: [["--fresh", "send again even if an answer waits"], ["--no-wait", "start it and leave"], ["-q, --quiet", "no progress on stderr"]],
  },
  {
    name: "clear",
    args: "[ids...]",
    summary: "remove ended sessions",
    options: [["--older-than <time>", "those that ended longer ago, e.g. 7d"], ["--all", "all that have ended"], ["--dry-run", "only say which"]],
  },
  { name: "doctor", summary: "check what this machine needs to run oracle" },
  { name: "bundle", summary: "make the bundle of some files and stop", options: [["-o, --output <path>", "where to write it"]], run: bundling },
  { name: "apply", args: "<answer>", summary: "run the diff pipeline on a saved answer: a file, a session, or -", run: applying },
  { name: "mcp", summary: "serve the tools consult and sessions over MCP on stdin and stdout" },
];

function addCommands(program: Command, actions: Actions): void {
  for (const sub of subs) {
    const command = program.command(`${sub.name}${sub.args === undefined ? "" : ` ${sub.args}`}`);
    command.description(sub.summary).allowExcessArguments(false);
    addFlags(command, runFlags.filter((flag) => sub.run?.includes(flag.option)));
    for (const [flags, help] of sub.options ?? []) command.option(flags, help);
    if (sub.name !== "mcp") command.addOption(json());
    command.action((...args: unknown[]) => {
      const words = args.slice(0, -2).flat().filter((word) => typeof word === "string");
      return actions.command(sub.name, words, command.opts());
    });
  }
  program
    .command("run-session <id>", { hidden: true })
    .action((id: string) => actions.command("run-session", [id], {}));
}
