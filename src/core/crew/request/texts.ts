// The texts of a pull request as a run quotes them: what people wrote, and the log of each check that failed.
import { plainLine, plainText } from "../../contract/index.ts";
import type { ForgeRequest, RequestCheck } from "./request.ts";

export interface QuotedText {
  readonly name: string;
  readonly text: string;
}

/** A directive holds about this much of one quoted text; the end of a log says why it failed. */
const longestLog = 20_000;
const longestComments = 200_000;
const mostLogs = 6;

/** As a quotation, so that a comment cannot end its own block. */
const quote = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

export function commentsText({ number, title, body, comments }: ForgeRequest): string {
  const listed = comments.map(
    ({ author, place, text }, index) =>
      `## Comment ${index + 1} by ${author}${place === null ? "" : ` at ${place}`}\n\n${quote(text)}\n`,
  );
  const whole = [`# Pull request ${number}: ${title}`, "", quote(body), "", ...listed].join("\n");
  return whole.length <= longestComments
    ? whole
    : `${whole.slice(0, longestComments)}\n[… ${whole.length - longestComments} characters left out …]\n`;
}

/** Terminal colours and the time at the start of each line tell nothing about a failure. */
function readableLog(log: string): string {
  const plain = plainText(log).replaceAll(/^((?:[^\t\n]*\t){0,2})\d{4}-\d\d-\d\dT[\d:.]+Z /gm, "$1");
  return plain.length <= longestLog
    ? plain
    : `[… ${plain.length - longestLog} characters left out …]\n${plain.slice(-longestLog)}`;
}

export const failedChecks = ({ checks }: ForgeRequest): readonly RequestCheck[] =>
  checks.filter(({ state }) => state === "failed").slice(0, mostLogs);

/** `logs`: by the name of the check; one that could not be read says why. */
export function requestTexts(request: ForgeRequest, logs: ReadonlyMap<string, string>): QuotedText[] {
  const { number, url, title } = request;
  const about = { name: plainLine(`pull request ${number} (${url}): ${title}`, 200), text: commentsText(request) };
  const failed = failedChecks(request).map((check) => ({
    name: plainLine(`failed check of pull request ${number}: ${check.name} (${check.url})`, 200),
    text: readableLog(logs.get(check.name) ?? "The log is not there.\n"),
  }));
  return [about, ...failed];
}
