// The text of a pull request, from what the runtime recorded about the run: no word of a model stands in it unmarked.
import { doubtLabels, plainLine } from "../../contract/index.ts";
import type { FinalReport } from "./final-report.ts";
import { costText } from "./role-lanes.ts";

type ReportFacts = Pick<FinalReport, "goal" | "stopReason" | "claims" | "doubts" | "spent" | "roles">;

const signs = { proven: "✔", judged: "◆", unproven: "✘" } as const;
/** A Markdown page must not take a goal or a claim for a heading, a mention or a command of the forge. */
const quoted = (text: string, max = 500): string =>
  plainLine(text, max)
    .replaceAll(/[\\`*_[\]<>|~]/g, "\\$&")
    .replaceAll(/([@#])(?=\w)/g, "$1\u200b");

/** Forges take about 60,000 characters. */
const mostOfMeasures = 40_000;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];

/** `verify` are the lines that tell how others verify it. */
export function requestText(
  { goal, stopReason, claims, doubts, spent, roles }: ReportFacts,
  verify: readonly string[],
): string {
  const reviewers = (["qa", "verifier", "critic"] as const).flatMap((role) =>
    roles[role] ? [`${role}: ${quoted(roles[role])}`] : [],
  );
  const mostOfMeasure = Math.max(300, Math.floor(mostOfMeasures / (doubts.length + claims.length)));
  return [
    `> ${quoted(goal, 1_000)}`,
    ...(stopReason === "completed_with_doubts"
      ? ["", "The run **completed with doubts**: the work is done, and the runtime could not prove what follows."]
      : []),
    ...section(
      "Doubts of the runtime",
      doubts.map(
        ({ kind, place, measure }) => `- ${doubtLabels[kind]}: ${quoted(`${place}: ${measure}`, mostOfMeasure)}`,
      ),
    ),
    ...section(
      "Claims",
      claims.map(
        ({ standing, statement, why }) =>
          `- ${signs[standing]} ${standing}: ${quoted(statement)}${why ? ` (${quoted(why, mostOfMeasure)})` : ""}`,
      ),
    ),
    ...section("Made and reviewed by", [
      `- implementer: ${quoted(roles["implementer"] ?? "nobody")}`,
      ...reviewers.map((line) => `- ${line}`),
      `- ${spent.responses} model calls, ${spent.tokens} tokens, ${costText(spent.cost)}`,
    ]),
    ...section("How to verify", verify),
    "",
  ].join("\n");
}
