// The final report (R-75): the goal, the claims with their proofs, the texts of agents, and the artifacts.
import {
  clip,
  plainLine,
  plainText,
  roleTable,
  type Doubt,
  type FailureClass,
  type Finding,
} from "../../contract/index.ts";
import {
  acceptedOf,
  commandLine,
  counted,
  lastIntegratedPass,
  resultOf,
  lastEditSeq,
  undelivered,
} from "../facts/index.ts";
import { isEnded, type Run, type Pass } from "../state/index.ts";
import { claims, type Claim } from "./claims.ts";
import { doubtLine, doubtsOf } from "../review/doubts.ts";
import { unconfined } from "../review/measure.ts";
import { crewLanes } from "./crew-lanes.ts";
import { currentFailure } from "./current-failure.ts";
import { runCost, costText, roleLanes, tokensOf } from "./role-lanes.ts";
import { reviewLanes } from "./rows.ts";
import { revisionTrails } from "./handoffs.ts";
import { reviewTree } from "../review/index.ts";

/** How the run ends; the report is written just before that is recorded. */
export interface RunEnding {
  readonly state: string;
  readonly stopReason: string;
  readonly failureClass: FailureClass | null;
  readonly by: string;
  readonly summary: string;
}

export type FinalReport = ReturnType<typeof reportData>;

export function buildFinalReport(
  run: Run,
  ending: RunEnding = endingOf(run),
): { report: FinalReport; markdown: string; proven: number; unproven: number } {
  const report = reportData(run, ending);
  const proven = report.claims.filter(({ standing }) => standing === "proven").length;
  return { report, markdown: reportMarkdown(run, report), proven, unproven: report.claims.length - proven };
}

/** A run that failed or was aborted has its report too: it is derived when it is asked for, and not stored. */
export function endReport(run: Run): { report: string; markdown: string } | null {
  if (!isEnded(run.phase)) return null;
  const { report, markdown } = buildFinalReport(run);
  return { report: JSON.stringify(report, null, 2), markdown };
}

function endingOf(run: Run): RunEnding {
  if (!isEnded(run.phase))
    return { state: run.phase.state, stopReason: "", failureClass: currentFailure(run), by: "", summary: "" };
  const by = "by" in run.phase ? run.phase.by : "runtime";
  const summary = run.phase.state === "completed" ? run.phase.summary : run.phase.message;
  const { state, stopReason } = run.phase;
  return { state, stopReason, failureClass: currentFailure(run), by, summary };
}

/** The doubts about the work, and with them each claim that stays unproven for another reason. */
export function closingDoubts(run: Run): Doubt[] {
  const pass = run.passes.at(-1);
  const found = pass ? doubtsOf(run, pass) : [];
  const checked = found.some(({ kind }) => kind === "waived" || kind === "no_check");
  const covered = (kind: Claim["kind"]): boolean =>
    kind === "reach" ||
    kind === "blind_tests" ||
    kind === "criterion" ||
    ((kind === "check" || kind === "no_regression") && checked);
  const open = claims(run).filter(
    ({ kind, standing }) => standing === "unproven" && !covered(kind) && !isTaken(run, kind),
  );
  const named = new Set(found.map(({ kind }) => kind));
  return [
    ...found,
    ...open
      .filter(
        ({ kind }) =>
          !(kind === "check" && (named.has("surroundings") || named.has("unnoticed_failure"))) &&
          !(kind === "verifier" && named.has("unread")),
      )
      .map(({ statement, why }): Doubt => ({ kind: "unverified", place: statement, measure: why })),
  ];
}

/** The user's own policy waives checks, or the run only read and there was no repository to compare. */
const isTaken = (run: Run, kind: Claim["kind"]): boolean =>
  ((kind === "check" || kind === "no_regression") && run.created.policy.waivedChecks.length > 0) ||
  (kind === "untouched" && run.created.baseTree === null);

/** What was put into the checkout, or else stands on the branch of the run. */
function deliveredPaths({ passes }: Run, { captured }: Pass): readonly string[] {
  const integrated = passes.flatMap(({ integration }) => integration?.paths ?? []);
  return integrated.length > 0 ? integrated : (captured?.patch?.changedPaths ?? []);
}

function reportData(run: Run, ending: RunEnding) {
  const result = ending.state === "completed" || lastIntegratedPass(run) ? resultOf(run) : undefined;
  const blindTests = run.passes.at(-1)?.blindTests;
  return {
    schemaVersion: 1 as const,
    kind: "final_report" as const,
    runId: run.runId,
    goal: run.created.goal,
    mode: run.created.mode,
    finalState: ending.state,
    stopReason: ending.stopReason,
    failureClass: ending.failureClass,
    completedBy: ending.by,
    summary: ending.summary,
    base: { commit: run.created.baseCommit, tree: run.created.baseTree, branch: run.created.branch },
    tree: result?.tree ?? null,
    changedPaths: [...new Set(result ? deliveredPaths(run, result.pass) : [])].sort(),
    doubts: closingDoubts(run),
    claims: claims(run),
    ...(blindTests ? { blindTests } : {}),
    roles: Object.fromEntries(
      Object.entries(run.roles).map(([role, assigned]) => [role, assigned?.assignment ?? null]),
    ),
    commands: run.passes.flatMap((pass) =>
      pass.checks.map((check) => ({
        seq: check.seq,
        pass: pass.number,
        command: commandLine(check.argv),
        cwd: check.cwd,
        variant: check.variant,
        tree: check.tree,
        result: check.result,
        exitCode: check.exitCode,
        durationMs: check.durationMs,
        sandbox: check.sandbox,
        permission: check.permission.decision,
        stdout: check.stdout?.ref ?? null,
        stderr: check.stderr?.ref ?? null,
      })),
    ),
    approvals: run.approvals.map((entry) => ({
      seq: entry.seq,
      gate: entry.kind,
      answer: entry.answer,
      by: entry.auto === null ? `${entry.by.kind} (${entry.by.surface})` : `policy: ${entry.auto}`,
      message: plainLine(entry.message, 300),
      subjectSha256: entry.subjectSha256,
    })),
    ...(run.messages.length > 0 ? { messages: messageRows(run) } : {}),
    findings: run.findings.map(({ seq, kind, severity, message }) => ({ seq, kind, severity, message })),
    reviewLanes: reviewLanes(run),
    crewLanes: crewLanes(run),
    revisionTrail: revisionTrails(run),
    spent: {
      responses: run.spent.responses,
      tokens: tokensOf(run.calls),
      workingMs: run.spent.ms,
      cost: runCost(run),
      byRole: roleLanes(run)
        .filter(({ calls }) => calls > 0)
        .map(({ role, calls, tokens, cost }) => ({ role, calls, tokens, cost })),
    },
    artifacts: run.artifacts.map(({ ref, kind, summary, seq }) => ({ ref, kind, summary, seq })),
  };
}

const foldAt = 300;

/** All of a text in one line. */
const wholeLine = (text: string): string => plainLine(text, Infinity);

/** The first line takes as many parts as it can hold. */
function folded(measure: string): string[] {
  if (measure.length <= foldAt) return [measure];
  const parts = measure.split(/(?<=;) |(?<=, )(?=noticed |no mistake|new tests |sandbox )/);
  let first = parts[0] ?? "";
  let taken = 1;
  for (; taken < parts.length && first.length + (parts[taken] ?? "").length < foldAt; taken += 1)
    first = `${first.trimEnd()} ${parts[taken]}`;
  return [first, ...parts.slice(taken)].map((part) => part.trim().replace(/[;,]$/, ""));
}

const variantText = {
  base: "on the base tree",
  patched: "on tree",
  guarded: "with the old tests on tree",
} as const;

const marks = { proven: "✔ proven", judged: "~ judged", unproven: "✘ unproven" } as const;

function claimLine(claim: Claim): string {
  const evidence = claim.evidence.length > 0 ? ` [events ${claim.evidence.join(", ")}]` : "";
  const head = `- ${marks[claim.standing]}: ${plainLine(claim.statement, 300)}.`;
  const measure = wholeLine(claim.why);
  // A measure is never cut: a long one goes on in lines of its own, one for each part.
  const [first = "", ...rest] = folded(measure);
  return [`${head} ${first}${evidence}`, ...rest.map((part) => `  - ${part}`)].join("\n");
}

/** Reasons that the state says already. */
const plainReasons: readonly string[] = ["", "success", "completed_with_doubts"];

const reasonOf = ({ stopReason, failureClass }: FinalReport): string => {
  const reasons = [stopReason, failureClass ?? ""].filter((one) => !plainReasons.includes(one));
  return reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
};

const endText = ({ finalState, stopReason }: FinalReport): string =>
  stopReason === "completed_with_doubts" ? "completed with doubts" : finalState;

type RoleCost = FinalReport["spent"]["byRole"][number];

const costLine = ({ role, calls, tokens, cost }: RoleCost): string =>
  `- ${roleTable[role].label}: ${calls} ${calls === 1 ? "call" : "calls"}, ${tokens} tokens, ${costText(cost)}`;

function reportMarkdown(run: Run, report: FinalReport): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`## ${title}`, "", ...lines, ""] : [];
  const commands = report.commands.map(
    (entry) =>
      `- \`${plainLine(entry.command, 200)}\` ${variantText[entry.variant]} ${entry.tree.slice(0, 12)}: ${entry.result}${entry.exitCode === null ? "" : ` (exit ${entry.exitCode})`}, ${Math.round(entry.durationMs)} ms, ${entry.sandbox}`,
  );
  const approvals = report.approvals.map((entry) => `- ${entry.gate}: ${entry.answer} by ${entry.by}`);
  const reviews = report.reviewLanes.map(
    (lane) => `- ${lane.title}: ${lane.state}${lane.required ? " (required)" : ""}. ${plainLine(lane.why, 300)}`,
  );
  const trail = report.revisionTrail.map(
    (entry) =>
      `- ${entry.reasonCode} from ${entry.sourceRole}${entry.failureClass === null ? "" : ` (${entry.failureClass})`}: ${plainLine(entry.reason, 300)} → ${entry.status}`,
  );
  const quotes = run.calls
    .filter((call) => call.record.lane === "main")
    .flatMap((call) => {
      const accepted = acceptedOf(run, call.record.callId);
      return accepted ? [`- ${roleTable[call.record.role].label}: “${plainLine(accepted.summary, 300)}”`] : [];
    });
  const open = unconfined(run);
  return [
    ...(open === null ? [] : [`> ${open}`, ""]),
    `# ${plainLine(report.goal, 200)}`,
    "",
    `**${endText(report)}**${reasonOf(report)} · run \`${report.runId}\` · ${counted(report.spent.responses, "model call")}, ${report.spent.tokens} tokens, ${costText(report.spent.cost)}`,
    "",
    clip(plainText(report.summary), 2_000),
    "",
    ...section(
      "Doubts",
      report.doubts.map((one) => wholeLine(doubtLine(one)).replace(/^-? ?/, "- ")),
    ),
    ...section("Claims", report.claims.map(claimLine)),
    ...section(
      "Changed",
      report.changedPaths.map((path) => `- \`${plainLine(path, 300)}\``),
    ),
    ...section("Blind tests, which are not part of the change", blindTestLines(run, report)),
    ...section("Commands the runtime ran", commands),
    // A run that only reads leaves nothing to review.
    ...section("Reviews", report.mode === "implement" ? reviews : []),
    ...section("Revisions", trail),
    ...section("Approvals", approvals),
    ...section("Messages while it went on", (report.messages ?? []).map(messageLine)),
    ...section(
      "Findings",
      run.findings.map((finding) => findingLine(run, finding)),
    ),
    ...section("Cost", report.spent.byRole.filter(({ role }) => role !== "integrator").map(costLine)),
    ...section("What the agents said (their words, not evidence)", [
      ...quotes,
      ...run.passes.slice(-1).flatMap((pass) => reportedCommands(run, pass)),
    ]),
  ].join("\n");
}

function blindTestLines({ keepTests }: Run, { blindTests }: FinalReport): string[] {
  if (!blindTests || blindTests.files.length === 0) return [];
  const { files, failingNames, unused, text } = blindTests;
  const kept = keepTests?.kept?.paths ?? [];
  return [
    ...files.map((path) => `- \`${plainLine(path, 300)}\`${kept.includes(path) ? ", kept in the checkout" : ""}`),
    ...failingNames.map((name) => `- fails on this work: ${plainLine(name, 200)}`),
    ...unused.map((why) => `- not used: ${plainLine(why, 300)}`),
    ...(text ? [`- all of them as one text: ${text.ref}`] : []),
    ...(kept.length > 0 ? [] : ["- You can keep them as files of your own."]),
  ];
}

function messageRows(run: Run) {
  const late = undelivered(run);
  return run.messages.map((one) => ({
    seq: one.seq,
    by: `${one.by.name ?? one.by.kind} (${one.by.surface})`,
    how: one.how,
    text: one.text,
    stopped: one.callId,
    narrowed: one.disallowedPaths ?? [],
    /** Null where the message asked for no wider scope. */
    widened: one.widens ? { ...one.widens, approved: one.widenedAt !== null } : null,
    given: !late.includes(one),
  }));
}

function messageLine({
  seq,
  by,
  text,
  stopped,
  narrowed,
  widened,
  given,
}: ReturnType<typeof messageRows>[number]): string {
  const more = [
    stopped === null ? null : `stopped ${stopped}`,
    narrowed.length > 0 ? `never again: ${plainLine(narrowed.join(", "), 300)}` : null,
    widened === null ? null : widened.approved ? "wider scope approved" : "wider scope not approved",
    given ? null : "given to no agent: the run was over first",
  ].filter((part) => part !== null);
  return `- ${by}: “${plainLine(text, 4_000)}”${more.length > 0 ? ` (${more.join("; ")})` : ""} [event ${seq}]`;
}

/** The role whose response a finding quotes. */
function authorOf(run: Run, { kind, refs }: Pick<Finding, "kind" | "refs">): string | null {
  if (kind === "user_note") return "the user";
  if (kind !== "open_question") return null;
  const call = run.calls.find(({ record }) => refs.includes(acceptedOf(run, record.callId)?.response.ref ?? ""));
  return call ? roleTable[call.record.role].label : "an agent";
}

/** A finding of the runtime, or a quotation with its author. */
export function findingLine(run: Run, finding: Pick<Finding, "kind" | "severity" | "message" | "refs">): string {
  const author = authorOf(run, finding);
  const text = plainLine(finding.message, 300);
  return `- ${finding.severity}: ${author === null ? text : `${author}: “${text}”`}`;
}

/** The commands that the worker says it ran, each once, with what the runtime itself saw. */
export function reportedCommands(run: Run, pass: Pass): string[] {
  const accepted = acceptedOf(run, pass.callId);
  if (accepted?.brief?.contract !== "implementation_result" || run.base.tree === null) return [];
  const tree = reviewTree(run);
  const seen = run.passes
    .flatMap((entry) => entry.checks)
    .filter((check) => check.result === "passed" && check.tree === tree && check.seq > lastEditSeq(run));
  return [...new Set(accepted.brief.commandsRun.map((command) => command.trim()))].map((command) => {
    const match = seen.find((check) => commandLine(check.argv) === command);
    const known = match
      ? `the runtime ran the same command on this tree [event ${match.seq}]`
      : "the runtime did not see it";
    return `- The implementer says it ran \`${plainLine(command, 200)}\`; ${known}`;
  });
}
