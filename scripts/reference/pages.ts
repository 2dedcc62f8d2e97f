// The reference pages, derived from the operations: one for the command line, one for the tools of the MCP server.
import { accepted, annotationsOf, cliName, mcpFields, mcpName } from "../../src/operations/define/index.ts";
import type { AnyOperation, Field } from "../../src/operations/define/index.ts";
import type { Context } from "../../src/operations/index.ts";
import { commandHelp } from "../../src/surfaces/argv/help.ts";
import { commandsOf, createStyle, type CommandSpec, type Program } from "../../src/surfaces/argv/index.ts";
import { takesDetail } from "../../src/surfaces/mcp/tools/detail.ts";
import { calledAs, partsOf } from "../../src/surfaces/argv/spec.ts";

const made = "<!-- Made from src/operations by node scripts/reference.mjs. Change the operation, not this page. -->";

/** Every command with its help, as `--help` prints it. */
export function cliPage<C>(program: Program<C>): string {
  const style = createStyle(false);
  const table = commandsOf(program)
    .map(({ spec }) => spec)
    .filter(({ hidden }) => !hidden);
  const commands = table.filter(({ nowIn }) => !nowIn);
  const helpOf = (spec: CommandSpec) =>
    `### ${program.name} ${calledAs(spec)}\n\n\`\`\`text\n${commandHelp(program.name, spec, style, undefined, partsOf(table, spec)).trimEnd()}\n\`\`\``;
  const groups = [...new Set(commands.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const own = commands.filter((spec) => spec.group === group);
    const helps = own.flatMap((spec) => [spec, ...partsOf(table, spec)].map(helpOf));
    return `## ${group}\n\n${helps.join("\n\n")}`;
  });
  const oldNames = table.flatMap((spec) =>
    spec.nowIn
      ? [
          `| \`${program.name} ${spec.name}\` | \`${program.name} ${spec.nowIn.option === undefined ? spec.nowIn.command : calledAs(spec)}\` |`,
        ]
      : [],
  );
  const old =
    oldNames.length === 0
      ? ""
      : `\n## Old names\n\nThese keep working, with the same options and the same \`--json\`.\n\n| old | new |\n|---|---|\n${oldNames.join("\n")}\n`;
  return `# Commands of ${program.name}\n\n${made}\n\n${sections.join("\n\n")}\n${old}`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function fieldRow([name, field]: [string, Field]): string {
  const needed = field.optional || "default" in field ? "" : "needed; ";
  const said = field.mcp?.about ?? `${field.help.slice(0, 1).toUpperCase()}${field.help.slice(1)}.`;
  return `| \`${mcpName(name, field)}\` | ${cell(needed + accepted(field))} | ${cell(said)} |`;
}

const effects = {
  reads: "Reads only.",
  moves: "Moves or changes something; it passes no gate.",
  decides: "A person decides: the question is put before them. Offered only where the user allows it.",
} as const;

function toolSection(operation: AnyOperation<Context>): string {
  const { mcp, effect, input, cli, name } = operation;
  if (!mcp) return "";
  const fixed = mcp.fixed ?? {};
  const fields = Object.entries(mcpFields(input)).filter(([key]) => !Object.hasOwn(fixed, key));
  const detail = takesDetail(operation)
    ? ["| `detail` | summary, full | With full: everything about the run beside the result, cut to 40 kB. |"]
    : [];
  const words = (cli?.args ?? []).map((word) => `<${cliName(word, input[word] as Field)}>`);
  const { destructiveHint } = annotationsOf(operation as AnyOperation);
  return [
    `## ${mcp.tool}`,
    mcp.description,
    `${effects[effect]}${destructiveHint && effect !== "decides" ? " It may change the checkout or the configuration." : ""}${cli ? ` At the command line: \`thehood ${[name, ...words].join(" ")}\`.` : ""}`,
    ...(fields.length === 0
      ? ["It takes no argument but `repo_path`."]
      : [`| argument | accepted | meaning |\n|---|---|---|\n${[...fields.map(fieldRow), ...detail].join("\n")}`]),
  ].join("\n\n");
}

/** Every tool with its arguments. */
export function mcpPage(operations: readonly AnyOperation<Context>[]): string {
  const tools = operations.filter(({ mcp }) => mcp !== undefined).map(toolSection);
  const common = "Every tool also takes `repo_path`: a folder below the served ones; the first of them without.";
  return `# Tools of the MCP server\n\n${made}\n\n${common}\n\n${tools.join("\n\n")}\n`;
}

type ExitRow = readonly [code: number, meaning: string];

/** The exit codes of both programs, and why they differ. */
export function exitPage(hood: readonly ExitRow[], oracle: readonly ExitRow[]): string {
  const table = (rows: readonly ExitRow[]) =>
    `| code | meaning |\n|---|---|\n${rows.map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`).join("\n")}`;
  const why =
    "The two programs share 0 and 1. The other codes differ: those of `oracle` are the outcome of one request and follow the `status` of its result, those of `thehood` are the standing of a run. Read `--json` where a script calls both.";
  return `# Exit codes\n\n${made}\n\n${why}\n\n## thehood\n\n${table(hood)}\n\n## oracle\n\n${table(oracle)}\n`;
}
