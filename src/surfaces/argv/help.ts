// Help of a program and of its commands, derived from its operations.
import type { Program } from "./program.ts";
import { calledAs, commonOptions, partOptions, type CommandSpec, type OptionSpec } from "./spec.ts";
import type { Style } from "./style.ts";

const hasScreen = (table: readonly CommandSpec[]): boolean => table.some(({ main }) => main);

/** The program without a command, and its own options. */
export const programSpec = (
  tagline: string,
  table: readonly CommandSpec[],
  hasMore = hasScreen(table),
): CommandSpec => ({
  name: "",
  group: "",
  summary: tagline,
  options: [
    ...(hasMore ? [{ name: "all", help: "with --help: show all commands" }] : []),
    { name: "version", short: "V", help: "show the version" },
  ],
});

type Described = Pick<Program<never>, "name" | "tagline" | "epilogue">;

/** The help of a program: the screen of its main commands where it has some, all commands otherwise. */
export function overview(program: Described, commands: readonly CommandSpec[], style: Style, all = false): string {
  const table = commands.filter(({ hidden, nowIn }) => !hidden && !nowIn);
  return hasScreen(table) && !all
    ? mainCommands(
        program,
        table.filter(({ main }) => main),
        style,
      )
    : allCommands(program, table, style);
}

/** One screen: a line for each command, and the group beside the first of its commands. */
function mainCommands({ name, tagline }: Described, table: readonly CommandSpec[], style: Style): string {
  const width = Math.max(...table.map((spec) => spec.name.length));
  const label = Math.max(...table.map((spec) => spec.group.length));
  const rows = table.map((spec, index) => {
    const group = table[index - 1]?.group === spec.group ? "" : spec.group;
    return `${style.bold(group.padEnd(label))}  ${style.cyan(spec.name.padEnd(width))}  ${spec.summary}`;
  });
  const more = `All commands: ${name} --help --all        One command: ${name} <command> --help`;
  return `${[tagline, ...rows, style.dim(more)].join("\n")}\n`;
}

function allCommands({ name, tagline, epilogue }: Described, table: readonly CommandSpec[], style: Style): string {
  const groups = [...new Set(table.map((spec) => spec.group))];
  const width = Math.max(...table.map((spec) => spec.name.length));
  const sections = groups.map((group) => {
    const rows = table
      .filter((spec) => spec.group === group)
      .map((spec) => `  ${style.cyan(spec.name.padEnd(width))}  ${spec.summary}`);
    return `${style.bold(group)}\n${rows.join("\n")}`;
  });
  const options = optionRows([...commonOptions, ...(programSpec(tagline, table).options ?? [])], style);
  return `${[
    tagline,
    `${style.bold("Usage")}\n  ${name} <command> [options]`,
    ...sections,
    `${style.bold("Everywhere")}\n${options}`,
    epilogue.replace(/^.*/, (title) => style.bold(title)),
  ].join("\n\n")}\n`;
}

export function commandHelp(
  program: string,
  spec: CommandSpec,
  style: Style,
  common: readonly OptionSpec[] = commonOptions,
  parts: readonly CommandSpec[] = [],
): string {
  const words = (spec.args ?? []).map((argument) => {
    const name = argument.rest ? `${argument.name}…` : argument.name;
    return argument.optional ? `[${name}]` : `<${name}>`;
  });
  const usage = [program, calledAs(spec), ...words, "[options]", ...(spec.passthrough ? ["-- command…"] : [])].join(
    " ",
  );
  const options = [...(spec.options ?? []), ...partOptions(parts)];
  const paragraphs = [`${spec.summary}\n\n${style.bold("Usage")}\n  ${usage}`];
  const width = widthOf([...common, ...options]);
  if (spec.more) paragraphs.push(spec.more);
  if (spec.nowIn)
    paragraphs.push(
      `${program} ${spec.name} is the old name and keeps working; new: ${program} ${spec.nowIn.option === undefined ? spec.nowIn.command : calledAs(spec)}`,
    );
  if (spec.args?.length)
    paragraphs.push(
      `${style.bold("Arguments")}\n${spec.args.map((argument) => `  ${style.cyan(argument.name.padEnd(width))}  ${argument.help}`).join("\n")}`,
    );
  if (options.length > 0) paragraphs.push(`${style.bold("Options")}\n${optionRows(options, style, width)}`);
  paragraphs.push(`${style.bold("Everywhere")}\n${optionRows(common, style, width)}`);
  if (spec.examples?.length)
    paragraphs.push(`${style.bold("Examples")}\n${spec.examples.map((line) => `  ${line}`).join("\n")}`);
  return `${paragraphs.join("\n\n")}\n`;
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
      return `  ${style.cyan(spelled(option).padEnd(width))}  ${option.many ? `${option.help.replace(/\.$/, "")}${choices}; may be repeated` : `${option.help}${choices}`}`;
    })
    .join("\n");
}
