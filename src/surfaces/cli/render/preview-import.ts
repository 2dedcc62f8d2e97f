// The folder of the public preview as a person sees it: runs, the settings as a diff, and what is not taken.
import { plainLine, plainText } from "../../../core/contract/index.ts";
import type { PreviewImport } from "../../../core/contract/setup/index.ts";
import type { Style } from "../../argv/index.ts";

const mostRuns = 20;
const valueText = (value: unknown): string => plainLine(typeof value === "string" ? value : JSON.stringify(value));

function runLines({ runs, more }: PreviewImport, style: Style): string[] {
  if (runs.length === 0) return [style.dim("no runs")];
  const hidden = Math.max(0, runs.length - mostRuns) + more;
  return [
    `${style.bold(`${runs.length + more} runs of the preview`)}, to read only`,
    ...runs
      .slice(0, mostRuns)
      .map(({ runId, state, mode, createdAt, goal, problem, record }) =>
        problem === null
          ? `  ${runId}  ${plainText(createdAt.slice(0, 10))}  ${plainText(mode)}  ${plainText(state)}  ${plainLine(goal, 80)}`
          : `  ${runId}  ${problem}: ${record}`,
      ),
    ...(hidden > 0 ? [style.dim(`  and ${hidden} more; all with --json`)] : []),
  ];
}

const diffLines = ({ changes, file }: PreviewImport, style: Style): string[] =>
  changes.length === 0
    ? [style.dim("no setting changes")]
    : [
        style.bold(file),
        ...changes.flatMap(({ key, before, after }) => [
          ...(before === null ? [] : [style.red(`- ${key}: ${valueText(before)}`)]),
          style.green(`+ ${key}: ${valueText(after)}`),
        ]),
      ];

const leftLines = ({ left }: PreviewImport, style: Style): string[] =>
  left.length === 0
    ? []
    : [
        style.bold("not taken"),
        ...left.flatMap(({ key, value, why, command }) => [
          `  ${plainText(key)}: ${plainLine(value)}`,
          `    ${plainLine(why)}${command === null ? "" : `; you can: ${plainLine(command)}`}`,
        ]),
      ];

export function importText(result: PreviewImport, style: Style): string {
  const { written, kept, folder } = result;
  const end = written
    ? `${style.green("✔")} Written. The files of the preview are kept in ${kept}`
    : folder === kept
      ? `${style.dim("·")} It was taken over before; its files are in ${kept}`
      : `${style.yellow("◆")} Nothing was written. Write it: thehood init --import --yes`;
  const parts = [runLines(result, style), diffLines(result, style), leftLines(result, style), [end]];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}
