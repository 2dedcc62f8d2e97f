// The checks of a repository.
import { repoCheckPrefix } from "../../../core/contract/index.ts";
import type { ChecksChanged, ChecksReport, CheckRow, TestedCheck } from "../../../operations/index.ts";
import { describeBaseline, describeResult, seconds } from "../../../operations/run-data/index.ts";
import type { Style } from "../../argv/index.ts";
import { texts } from "./view.ts";

/** Where the check comes from. */
const origin = (id: string, source: string): string =>
  source !== "config"
    ? `found in ${source}`
    : `added by ${id.startsWith(repoCheckPrefix) ? "the repository's" : "your"} configuration`;

function row({ id, kind, argv, cwd, source, timeoutMs, missing, baseline }: CheckRow, style: Style): string {
  const red = missing.length > 0 || (baseline !== null && baseline.result !== "passed");
  const mark = red ? style.yellow("◆") : baseline === null ? style.yellow("?") : style.green("✔");
  const where = cwd === "" ? "" : `, in ${cwd}`;
  const limit = `limit ${Math.round(timeoutMs / 1_000)} s`;
  const lacks = missing.map(({ what, remedy }) => `    ${style.yellow(what)}\n    ${style.dim(`→ ${remedy}`)}\n`);
  const known = missing.length > 0 ? "" : `    ${describeBaseline(baseline)}\n`;
  return `${mark} ${style.bold(id)}  ${argv.join(" ")}\n    ${style.dim(`${kind}, ${origin(id, source)}${where}, ${limit}`)}\n${known}${lacks.join("")}`;
}

export const checks = texts<ChecksReport>(({ checks: rows, findings, uncommitted }, { style }) => {
  const none = rows.length === 0 ? `No check was found.\n${style.dim("→ thehood checks add NAME -- COMMAND")}\n` : "";
  const notes = findings.map((line) => `${style.dim("·")} ${line}\n`);
  const edits =
    uncommitted.length === 0
      ? ""
      : `${style.dim("·")} files with uncommitted edits: ${uncommitted.length}; agents start from the last commit and do not see them\n`;
  const test = rows.length === 0 ? "" : `${style.dim("run them on the last commit:")} thehood checks test\n`;
  return `${rows.map((one) => row(one, style)).join("")}${none}${notes.join("")}${edits}${test}`;
});

export const tested = texts<{ readonly checks: readonly TestedCheck[] }>(({ checks: rows }, { style }) =>
  rows
    .map(({ id, result, why, durationMs, lines }) => {
      const mark = result === "passed" ? style.green("✔") : style.red("✘");
      const said = result === "passed" ? "" : `: ${why}`;
      const shown = lines.map((line) => `    ${line}\n`).join("");
      return `${mark} ${style.bold(id)}  ${describeResult[result]} (${seconds(durationMs)})${said}\n${shown}`;
    })
    .join(""),
);

export const edited = texts<ChecksChanged>(
  ({ file, checks: rows }, { style }) =>
    `${style.green("✔")} ${file}${rows.length === 0 ? " has no checks now" : ""}\n${rows.map(({ id, argv }) => `    ${id}  ${argv.join(" ")}\n`).join("")}`,
);
