// Manual pages, derived from the operations of a program: `man thehood`, `man oracle`. The build writes them into dist/man.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../../src/operations/index.ts";
import { commandHelp } from "../../src/surfaces/argv/help.ts";
import { specOf } from "../../src/surfaces/argv/derive.ts";
import { commandsOf, createStyle, type Program } from "../../src/surfaces/argv/index.ts";
import { hoodProgram } from "../../src/surfaces/cli/index.ts";
import { oracleProgram } from "../../src/surfaces/oracle-cli/index.ts";
import { exitRows, oracleExits } from "./exits.ts";

const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");

function manPage<C>(program: Program<C>, about: string, exits: readonly (readonly [number, string])[]): string {
  const style = createStyle(false);
  const commands = commandsOf(program).filter(({ spec }) => !spec.hidden);
  const parts = commands.map(
    ({ spec }) =>
      `.SS ${escaped(`${program.name} ${spec.name}`)}\n.nf\n${escaped(commandHelp(program.name, spec, style).trimEnd())}\n.fi`,
  );
  const { root, overview } = program;
  const shown = commands.map(({ spec }) => spec);
  const own = root && overview ? overview(specOf(root as never), shown, true) : undefined;
  const table = exits.map(([code, words]) => `.TP\n.B ${code}\n${escaped(words)}`);
  return [
    `.\\" Made from src/operations by the build.`,
    `.TH ${program.name.toUpperCase()} 1`,
    `.SH NAME\n${program.name} \\- ${escaped(about)}`,
    `.SH SYNOPSIS\n.B ${program.name}\n.I command\n[options]`,
    ...(own === undefined ? [] : [`.SH OVERVIEW\n.nf\n${escaped(own.trimEnd())}\n.fi`]),
    `.SH COMMANDS\n${parts.join("\n")}`,
    `.SH EXIT STATUS\n${table.join("\n")}`,
    "",
  ].join("\n");
}

/** Writes the pages of both programs. Help is derived without asking anything of the ports. */
export function writeMan(dist: string): void {
  mkdirSync(join(dist, "man"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(dist, "man", `${name}.1`), text);
  write("thehood", manPage(hoodProgram({} as never, operations), "governed runs of coding agents", exitRows));
  write("oracle", manPage(oracleProgram({} as never), "requests to models, checked diffs back", oracleExits));
}
