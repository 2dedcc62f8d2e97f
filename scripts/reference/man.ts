// Manual pages, derived from the operations of a program: `man thehood`, `man oracle`.
import { commandHelp } from "../../src/surfaces/argv/help.ts";
import { commandsOf, createStyle, type Program } from "../../src/surfaces/argv/index.ts";
import { exitCodes } from "../../src/core/contract/index.ts";

const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");

const codes: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "It worked.",
  failure: "It failed; the message says why.",
  badInput: "The input is wrong: an unknown word, a bad value, a broken configuration.",
  approvalRequired: "The run waits for you at a gate.",
  providerUnavailable:
    "No agent can answer: not installed, not logged in, out of reach. A run that had begun is kept, at a gate.",
  verificationFailed:
    "Checks or reviewers refused the work, and no answers are left to repair it; or a record was altered.",
  permissionDenied: "It is not allowed here.",
  schemaInvalid: "An agent keeps answering in a wrong form. The run is kept, at a gate.",
  aborted: "The run was aborted.",
};

/** The exit codes of thehood as rows of code and meaning. */
export const exitRows: readonly (readonly [number, string])[] = [
  ...Object.entries(exitCodes).map(([name, code]) => [code, codes[name as keyof typeof codes]] as const),
  [130, "You stopped it with Ctrl-C; the run is kept, and thehood continue goes on with it."],
];

export function manPage<C>(
  program: Program<C>,
  about: string,
  exits: readonly (readonly [number, string])[],
): string {
  const style = createStyle(false);
  const commands = commandsOf(program).filter(({ spec }) => !spec.hidden);
  const parts = commands.map(
    ({ spec }) =>
      `.SS ${escaped(`${program.name} ${spec.name}`)}\n.nf\n${escaped(commandHelp(program.name, spec, style).trimEnd())}\n.fi`,
  );
  const table = exits.map(([code, words]) => `.TP\n.B ${code}\n${escaped(words)}`);
  return [
    `.\\" Made from src/operations by node scripts/reference.mjs.`,
    `.TH ${program.name.toUpperCase()} 1`,
    `.SH NAME\n${program.name} \\- ${escaped(about)}`,
    `.SH SYNOPSIS\n.B ${program.name}\n.I command\n[options]`,
    `.SH COMMANDS\n${parts.join("\n")}`,
    `.SH EXIT STATUS\n${table.join("\n")}`,
    "",
  ].join("\n");
}
