// The message of a commit with the work of a run: what was done as its subject, then who says so and what was checked.
import { plainLine } from "../../contract/index.ts";
import { counted, resultOf } from "../facts/index.ts";
import { doubtsOf } from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { checkRows, noticedMistakes } from "./gate/checks.ts";

const width = 72;

/** One line that is no trailer. */
const plain = (text: string): string =>
  plainLine(text, 2_000).replaceAll(/\b(Thehood-Run|Assisted-by|Co-authored-by|Signed-off-by):/gi, "$1");

/** A reference in the words of an agent must not close an issue or call anybody. */
const inert = (text: string): string =>
  plain(text)
    .replaceAll(/#(?=\d)/g, "no. ")
    .replaceAll(/@(?=\w)/g, "(at) ");

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

/** What the agent says about its last edit. */
function sayings(run: Run): string {
  const call = run.calls.findLast(
    ({ record, result }) => record.role === "implementer" && result?.outcome.result === "accepted",
  );
  const outcome = call?.result?.outcome;
  return outcome?.result === "accepted" ? inert(outcome.summary) : "";
}

const firstSentence = (text: string): string => /^.*?[.!?](?= |$)/.exec(text)?.[0].replace(/\.$/, "") ?? text;

/** As many whole words as fit. */
function cut(text: string): string {
  const kept = text.slice(0, width + 1);
  const words = kept.slice(0, kept.lastIndexOf(" ")).replace(/[\s,;:–-]+$/, "");
  return words === "" ? text.slice(0, width) : words;
}

/** The goal where it fits, since it is the user's own line; then what the agent did; a text is never cut inside a word. */
function subjectOf(goal: string, said: string): string {
  const done = firstSentence(said);
  return [goal, firstSentence(goal), done].find((one) => one !== "" && one.length <= width) ?? cut(goal);
}

function checked(run: Run, pass: Pass): string {
  const rows = pass.validation ? checkRows(run, pass) : [];
  const passing = rows.filter(({ passes }) => passes).map(({ command }) => command);
  const failing = rows.filter(({ passes }) => !passes).map(({ command }) => command);
  const { planted, noticed } = noticedMistakes(run, pass);
  const doubts = doubtsOf(run, pass).length;
  return [
    rows.length === 0 ? "No check ran." : "",
    passing.length > 0 ? `Checks that pass: ${passing.join(", ")}.` : "",
    failing.length > 0 ? `Checks that do not pass: ${failing.join(", ")}.` : "",
    planted > 0 ? `They noticed ${noticed} of ${counted(planted, "planted mistake")}.` : "",
    doubts > 0 ? `${counted(doubts, "doubt")} of the runtime: see the report of ${run.runId}.` : "",
  ]
    .filter((one) => one !== "")
    .join(" ");
}

/** Subject and body without trailers. Whatever a person or an agent wrote goes through `redact`. */
export function commitText(run: Run, redact: (text: string) => string): string {
  const goal = plain(redact(run.created.goal));
  const said = redact(sayings(run));
  const subject = subjectOf(goal, said);
  const pass = resultOf(run)?.pass;
  const paragraphs = [
    goal === subject ? "" : `Wanted: ${goal}`,
    said === "" || said === subject ? "" : `The agent: ${said}`,
    pass ? checked(run, pass) : "",
  ];
  return [subject, ...paragraphs.filter((one) => one !== "").map(wrapped)].join("\n\n");
}
