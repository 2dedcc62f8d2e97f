// The result of a run as a person decides about it: facts in one line, doubts, checks, reviews.
import {
  doubtConsequences,
  findsFault,
  doubtLabels,
  plainLine,
  visibleName,
  type Doubt,
  type PatchJudgement,
} from "../../../contract/index.ts";
import { acceptedOf, callOf, counted } from "../../facts/index.ts";
import { doubtsOf, needsProtectedApproval, openChecks, protectedInOrder } from "../../review/index.ts";
import { unconfined } from "../../review/measure.ts";
import { aboutOpen } from "../../review/open-text.ts";
import type { Pass, Run } from "../../state/index.ts";
import { checkRows, noticedMistakes } from "./checks.ts";
import type { CheckRow, DoubtRow, GateFact, ResultSummary, ReviewRow } from "./shapes.ts";

type Protected = PatchJudgement["protectedPaths"][number];

/** `changed test`, `new CI file`: what happens to the file, and what it is. */
export function describeProtected({ effect, ...file }: Protected): string {
  const what = describeChange(file);
  return effect === "follows" ? `${what}, follows another file of this change` : what;
}

function describeChange({ why, change = "changed" }: Omit<Protected, "effect">): string {
  const done = change === "added" ? "new" : change;
  const kind = plainLine(why, 100);
  if (kind === "") return `${done} file`;
  return /^[\w ]+ by /.test(kind) ? `${done} file, ${kind}` : `${done} ${kind}`;
}

/** Kinds of doubt whose measure only repeats the sentence about planted mistakes. */
const measuredAbove: readonly Doubt["kind"][] = ["unreached", "untried"];

const doubtRow = (doubt: Doubt): DoubtRow => {
  const { kind, place, measure } = doubt;
  const [where, figures] = [plainLine(place, Infinity), plainLine(measure, Infinity)];
  // Some measures begin with their place.
  const why = measuredAbove.includes(kind) ? where : figures.startsWith(where) ? figures : `${where}: ${figures}`;
  return {
    ...doubt,
    fault: findsFault(kind),
    text: `${doubtLabels[kind]}: ${why.replace(/\.$/, "")}. So ${doubtConsequences[kind]}.`,
  };
};

/** Findings that are doubts, or that the protected files name, stand there already. */
const namedElsewhere = new Set(["protected_path", "invisible_characters", "lookalike_letters", "binary_source"]);

const asSentences = (lines: readonly string[]): string =>
  lines.map((one) => (/[.!?]$/.test(one) ? one : `${one}.`)).join(" ");

function warningsOf(run: Run, pass: Pass, { findings, secretCount }: PatchJudgement): string[] {
  const open = unconfined(run);
  return [
    ...(open === null ? [] : [open]),
    ...(pass.validation ? openChecks(run, pass) : []).map((one) => asSentences(aboutOpen(run, pass, one))),
    ...(secretCount > 0 ? [`${counted(secretCount, "thing")} in the change looks like a secret.`] : []),
    ...findings
      .filter(({ reason }) => !namedElsewhere.has(reason))
      .map(({ reason, message }) => `${reason.replaceAll("_", " ")}: ${visibleName(message)}`),
  ];
}

function reviewRows(run: Run, pass: Pass): ReviewRow[] {
  return (["verifier", "qa", "critic"] as const).flatMap((role) => {
    const accepted = acceptedOf(run, pass[role]);
    const brief = accepted?.brief;
    if (!accepted || !brief || !("verdict" in brief)) return [];
    const verdict = String(brief.verdict);
    return [
      {
        role,
        agent: callOf(run, pass[role])?.record.assignment.assignment ?? "",
        approves: verdict === "approve" || verdict === "pass" || verdict === "acceptable",
        verdict: verdict.replaceAll("_", " "),
        sentence: plainLine(accepted.summary, 300),
      },
    ];
  });
}

/** Work that is applied first is checked afterwards. */
const checksFact = (rows: readonly CheckRow[], haveRun: boolean): GateFact => {
  if (!haveRun) return { text: "checks not run yet", tone: "warn" };
  const good = rows.filter(({ passes }) => passes).length;
  if (rows.length === 0) return { text: "no checks", tone: "warn" };
  // Whether the old tests still count is a question to the user, and no failure of the work.
  const ask = rows.filter(
    ({ passes, now, withOldTests }) => !passes && now.mark === "pass" && withOldTests?.mark === "fail",
  );
  if (ask.length > 0 && good + ask.length === rows.length)
    return { text: `checks ✔ ${rows.length} of ${rows.length} now, ✘ with the old tests`, tone: "warn" };
  return good === rows.length
    ? { text: `checks ✔ ${good} of ${rows.length}`, tone: "good" }
    : { text: `checks ✘ ${good} of ${rows.length}`, tone: "bad" };
};

/** The yes of the verifier answers no doubt of the runtime: it is not shown as good news where one stands. */
export const verifierFact = (pass: Pick<Pass, "accepted">, reviews: readonly ReviewRow[], doubts: number): GateFact => {
  const found = reviews.find(({ role }) => role === "verifier");
  if (pass.accepted) return { text: "verifier – you took it as it is", tone: "warn" };
  if (!found) return { text: "not verified", tone: "warn" };
  if (!found.approves) return { text: `verifier ✘ ${found.verdict}`, tone: "bad" };
  if (doubts === 0) return { text: "verifier ✔", tone: "good" };
  return { text: `verifier says yes, ${counted(doubts, "doubt")} ${doubts === 1 ? "stays" : "stay"}`, tone: "warn" };
};

const isTest = ({ why }: Protected): boolean => /\b(?:test|snapshot|fixture)\b/.test(why);
const removes = ({ change }: Protected): boolean => change === "removed";

/** A new test is good news, a changed one a question, a removed one a warning. */
function protectedFacts({ protectedPaths }: PatchJudgement): GateFact[] {
  const tests = protectedPaths.filter(isTest);
  const added = tests.filter(({ change }) => change === "added");
  const removed = tests.filter(removes);
  const changed = tests.length - added.length - removed.length;
  const others = protectedPaths.length - tests.length;
  const some = (count: number, verb: string, one: string) =>
    count === 1 ? `${verb} a ${one}` : `${verb} ${count} ${one}s`;
  return [
    ...(removed.length > 0
      ? [{ text: `⚠ ${some(removed.length, "removes", "test file")}`, tone: "bad" } as const]
      : []),
    ...(changed > 0 ? [{ text: `⚠ ${some(changed, "changes", "test")}`, tone: "warn" } as const] : []),
    ...(others > 0 ? [{ text: `⚠ ${some(others, "changes", "file")} that checks use`, tone: "warn" } as const] : []),
    ...(added.length > 0 ? [{ text: some(added.length, "adds", "test"), tone: "plain" } as const] : []),
  ];
}

export function needsYes(run: Run, pass: Pass): ResultSummary["needsYes"] {
  if (!pass.judgement || !needsProtectedApproval(run, pass)) return [];
  return protectedInOrder(pass.judgement).map((one) => ({ path: visibleName(one.path), why: describeProtected(one) }));
}

export function resultSummary(run: Run, pass: Pass): ResultSummary | null {
  const { judgement } = pass;
  if (!judgement) return null;
  const checks = pass.validation ? checkRows(run, pass) : [];
  const reviews = reviewRows(run, pass);
  const doubts = doubtsOf(run, pass).map(doubtRow);
  const { paths, addedLines, removedLines } = judgement;
  const warnings = warningsOf(run, pass, judgement);
  const noticed = noticedMistakes(run, pass);
  const open = doubts.length + warnings.length + (["no", "partly"].includes(noticed.answer) ? 1 : 0);
  return {
    facts: [
      { text: `${counted(paths.length, "file")} +${addedLines} −${removedLines}`, tone: "plain" },
      checksFact(checks, Boolean(pass.validation)),
      verifierFact(pass, reviews, open),
      ...protectedFacts(judgement),
    ],
    noticed,
    doubts,
    warnings,
    checks,
    reviews,
    needsYes: needsYes(run, pass),
  };
}
