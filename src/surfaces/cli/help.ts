// Help, derived from the table of commands.
import { commonOptions, type CommandSpec, type OptionSpec } from "./spec.ts";
import type { Style } from "./style.ts";

const tagline = "TheHood: agents propose, the runtime decides, and nothing is accepted on a model's word.";

/** The program without a command: what it takes by itself. */
export const program: CommandSpec = {
  name: "",
  group: "",
  summary: tagline,
  options: [{ name: "version", short: "V", help: "show the version" }],
  load: async () => {
    throw new TypeError("there is no command to run");
  },
};

export function overview(table: readonly CommandSpec[], style: Style): string {
  const groups = [...new Set(table.map((spec) => spec.group))];
  const width = Math.max(...table.map((spec) => spec.name.length));
  const sections = groups.map((group) => {
    const rows = table
      .filter((spec) => spec.group === group)
      .map((spec) => `  ${style.cyan(spec.name.padEnd(width))}  ${spec.summary}`);
    return `${style.bold(group)}\n${rows.join("\n")}`;
  });
  return `${tagline}\n\n${style.bold("Usage")}\n  thehood <command> [options]\n\n${sections.join("\n\n")}\n
${style.bold("Everywhere")}
${optionRows([...commonOptions, ...(program.options ?? [])], style)}

${style.bold("Exit codes")}
  0 ok, 1 failure, 2 bad input, 3 approval required, 4 provider unavailable,
  5 verification failed, 6 permission denied, 7 answer invalid

Start with: thehood demo        Then, in your repository: thehood run "make the login test stable"
More about a command: thehood <command> --help\n`;
}

export function commandHelp(spec: CommandSpec, style: Style): string {
  const words = (spec.args ?? []).map((argument) => {
    const name = argument.rest ? `${argument.name}…` : argument.name;
    return argument.optional ? `[${name}]` : `<${name}>`;
  });
  const usage = [
    "thehood",
    spec.name,
    ...words,
    "[options]",
    ...(spec.passthrough ? ["-- command…"] : []),
  ].join(" ");
  const parts = [`${spec.summary}\n\n${style.bold("Usage")}\n  ${usage}`];
  const width = widthOf([...commonOptions, ...(spec.options ?? [])]);
  if (spec.more) parts.push(spec.more);
  if (spec.args?.length)
    parts.push(
      `${style.bold("Arguments")}\n${spec.args.map((argument) => `  ${style.cyan(argument.name.padEnd(width))}  ${argument.help}`).join("\n")}`,
    );
  if (spec.options?.length) parts.push(`${style.bold("Options")}\n${optionRows(spec.options, style, width)}`);
  parts.push(`${style.bold("Everywhere")}\n${optionRows(commonOptions, style, width)}`);
  if (spec.examples?.length)
    parts.push(`${style.bold("Examples")}\n${spec.examples.map((line) => `  ${line}`).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

function spelled(option: OptionSpec): string {
  const short = option.short ? `-${option.short}, ` : "    ";
  return `${short}--${option.name}${option.value ? ` <${option.value}>` : ""}`;
}

const widthOf = (options: readonly OptionSpec[]): number =>
  Math.max(...options.map((option) => spelled(option).length));

function optionRows(options: readonly OptionSpec[], style: Style, width = widthOf(options)): string {
  return options
    .map((option) => {
      const choices = option.choices ? ` (${option.choices.join(" | ")})` : "";
      return `  ${style.cyan(spelled(option).padEnd(width))}  ${option.help}${choices}${option.many ? "; may be repeated" : ""}`;
    })
    .join("\n");
}
