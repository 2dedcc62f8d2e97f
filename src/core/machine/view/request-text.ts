// The text of a pull request, from what the runtime recorded about the run: no word of a model stands in it unmarked.
import { plainLine } from "../../contract/index.ts";
import type { FinalReport } from "./final-report.ts";

type ReportFacts = Pick<FinalReport, "goal" | "claims" | "doubts" | "spent" | "roles">;

const signs = { proven: "✔", judged: "◆", unproven: "✘" } as const;
/** A Markdown page must not take a goal or a claim for a heading, a mention or a command of the forge. */
const quoted = (text: string, max = 500): string =>
  plainLine(text, max)
    .replaceAll(/[\\`*_[\]<>|~]/g, "\\$&")
    .replaceAll(/([@#])(?=\w)/g, "$1\u200b");

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];

/** `verify` are the lines that tell how others verify it. */
export function requestText({ goal, claims, doubts, spent, roles }: ReportFacts, verify: readonly string[]): string {
  const reviewers = (["qa", "verifier", "critic"] as const).flatMap((role) =>
    roles[role] ? [`${role}: ${quoted(roles[role])}`] : [],
  );
  const { usd, untold } = spent.cost;
  return [
    `> ${quoted(goal, 1_000)}`,
    ...section(
      "Doubts of the runtime",
      doubts.map(({ kind, place, measure }) => `- ${kind}: ${quoted(`${place}: ${measure}`)}`),
    ),
    ...section(
      "Claims",
      claims.map(
        ({ standing, statement, why }) =>
          `- ${signs[standing]} ${standing}: ${quoted(statement)}${why ? ` (${quoted(why)})` : ""}`,
      ),
    ),
    ...section("Made and reviewed by", [
      `- implementer: ${quoted(roles["implementer"] ?? "nobody")}`,
      ...reviewers.map((line) => `- ${line}`),
      `- ${spent.responses} model calls, ${spent.tokens} tokens, $${usd.toFixed(2)}${untold > 0 ? ` and ${untold} calls of unknown cost` : ""}`,
    ]),
    ...section("How to verify", verify),
    "",
  ].join("\n");
}
