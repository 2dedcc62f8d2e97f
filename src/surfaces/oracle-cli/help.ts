// The help of `oracle`: one screen, or with --all its commands and the options of a run under their headings.
import { firstScreen } from "./screen.ts";
import type { ArgumentSpec, CommandSpec, OptionSpec } from "../argv/index.ts";

export const tagline = "Carries a request and files to a model; brings the answer and a checked diff.";

const column = 36;

function spelled({ name, short, value, several, alone }: OptionSpec): string {
  const inner = `${value ?? ""}${several ? "..." : ""}`;
  const shown = value === undefined ? "" : alone === undefined ? ` <${inner}>` : ` [${inner}]`;
  return `${short ? `-${short}, ` : ""}--${name}${shown}`;
}

const withChoices = ({ help, choices }: OptionSpec) => (choices ? `${help} (${choices.join(", ")})` : help);

const row = (left: string, right: string) =>
  left.length < column - 3 ? `  ${left.padEnd(column - 2)}${right}` : `  ${left}\n${" ".repeat(column)}${right}`;

function optionRows(option: OptionSpec): string[] {
  const { name, negative } = option;
  return [
    row(spelled(option), withChoices(option)),
    ...(typeof negative === "string" ? [row(`--no-${name}`, negative)] : []),
  ];
}

const word = ({ name, optional, rest }: ArgumentSpec) => {
  const inner = rest ? `${name}...` : name;
  return optional ? `[${inner}]` : `<${inner}>`;
};

/** The first screen, or everything with `all`. */
export function rootHelp(
  root: CommandSpec,
  table: readonly CommandSpec[],
  common: readonly OptionSpec[],
  all: boolean,
): string {
  if (!all) return firstScreen(tagline);
  const options = [...(root.options ?? []), ...common].filter(({ group }) => group !== undefined);
  const groups = [...new Set(options.map(({ group }) => group))];
  const sections = groups.map((group) =>
    [group, ...options.filter((option) => option.group === group).flatMap(optionRows)].join("\n"),
  );
  const commands = table.map((spec) => row([spec.name, ...(spec.args ?? []).map(word)].join(" "), spec.summary));
  return `${tagline}

Usage: oracle --prompt <text> [--file <paths...>] [options]
       oracle <command> [options]

Commands
${commands.join("\n")}

${sections.join("\n\n")}

Other
${row("-h, --help", "Show the first screen of this help, or the help of a command.")}
${row("--all", "With --help: show all of it.")}
${row("-V, --version", "Show the version.")}

Exit codes: 0 success, 2 no usable diff, 3 secret found, 4 not applied, 5 not committed, 6 timed out, 1 other.
`;
}
