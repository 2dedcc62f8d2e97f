// Help of a program and of its commands, derived from its operations.
import type { Program } from "./program.ts";
import { commonOptions, type CommandSpec, type OptionSpec } from "./spec.ts";
import type { Style } from "./style.ts";

/** The program without a command, and the options it takes by itself. */
export const programSpec = (tagline: string): CommandSpec => ({
  name: "",
  group: "",
  summary: tagline,
  options: [{ name: "version", short: "V", help: "show the version" }],
});

export function overview(
  { name, tagline, epilogue }: Pick<Program<never>, "name" | "tagline" | "epilogue">,
  table: readonly CommandSpec[],
  style: Style,
): string {
  const groups = [...new Set(table.map((spec) => spec.group))];
  const width = Math.max(...table.map((spec) => spec.name.length));
  const sections = groups.map((group) => {
    const rows = table
      .filter((spec) => spec.group === group)
      .map((spec) => `  ${style.cyan(spec.name.padEnd(width))}  ${spec.summary}`);
    return `${style.bold(group)}\n${rows.join("\n")}`;
  });
  const options = optionRows([...commonOptions, ...(programSpec(tagline).options ?? [])], style);
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
): string {
  const words = (spec.args ?? []).map((argument) => {
    const name = argument.rest ? `${argument.name}…` : argument.name;
    return argument.optional ? `[${name}]` : `<${name}>`;
  });
  const usage = [
    program,
    spec.name,
    ...words,
    "[options]",
    ...(spec.passthrough ? ["-- command…"] : []),
  ].join(" ");
  const parts = [`${spec.summary}\n\n${style.bold("Usage")}\n  ${usage}`];
  const width = widthOf([...common, ...(spec.options ?? [])]);
  if (spec.more) parts.push(spec.more);
  if (spec.args?.length)
    parts.push(
      `${style.bold("Arguments")}\n${spec.args.map((argument) => `  ${style.cyan(argument.name.padEnd(width))}  ${argument.help}`).join("\n")}`,
    );
  if (spec.options?.length) parts.push(`${style.bold("Options")}\n${optionRows(spec.options, style, width)}`);
  parts.push(`${style.bold("Everywhere")}\n${optionRows(common, style, width)}`);
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
      return `  ${style.cyan(spelled(option).padEnd(width))}  ${option.many ? `${option.help.replace(/\.$/, "")}${choices}; may be repeated` : `${option.help}${choices}`}`;
    })
    .join("\n");
}
