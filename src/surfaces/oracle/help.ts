// The help screen of `oracle`, straight from the tables: it is shown without loading the parser.
import { optionHelp } from "../../contract/transport/index.ts";
import { flagName, rootExtras, runFlags, subs } from "./flags.ts";
import type { Flag } from "./spec.ts";

export const tagline =
  "Carries a request with its files to a model; brings the answer and a checked diff back.";

const column = 36;

function spelled(flag: Flag): string {
  const value = flag.value === undefined ? "" : ` <${flag.value}${flag.many === true ? "..." : ""}>`;
  return `${flag.short ? `-${flag.short}, ` : ""}${flagName(flag.option)}${value}`;
}

const withChoices = (help: string, choices: readonly string[] | undefined) =>
  choices ? `${help} (${choices.join(", ")})` : help;

const row = (left: string, right: string) =>
  left.length < column - 3
    ? `  ${left.padEnd(column - 2)}${right}`
    : `  ${left}\n${" ".repeat(column)}${right}`;

export function rootHelp(): string {
  const rows = [
    ...runFlags.map((flag) => ({
      group: flag.group,
      text: row(spelled(flag), withChoices(optionHelp[flag.option], flag.choices)),
    })),
    ...rootExtras.map(({ flags, help, group, choices }) => ({
      group,
      text: row(flags, withChoices(help, choices)),
    })),
  ];
  const groups = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map(
    (group) =>
      `${group}\n${rows
        .filter((one) => one.group === group)
        .map(({ text }) => text)
        .join("\n")}`,
  );
  const commands = subs.map((sub) =>
    row(`${sub.name}${sub.args === undefined ? "" : ` ${sub.args}`}`, sub.summary),
  );
  return `${tagline}

Usage: oracle --prompt <text> [--file <paths...>] [options]
       oracle <command> [options]

Commands
${commands.join("\n")}

${sections.join("\n\n")}

Other
${row("-h, --help", "Show this help, or that of a command.")}
${row("-V, --version", "Show the version.")}

Exit codes: 0 success, 2 no usable diff, 3 secret found, 4 not applied, 5 not committed, 6 timed out, 1 other.
`;
}
