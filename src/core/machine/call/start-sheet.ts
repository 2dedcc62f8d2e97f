// The question about the plan of a run that changes something (B-3): the plan, the agents that are called, where data goes, the
// budget, the paths and the commands. The calls of these agents are not asked about again; their transfers are, by manifest.
import {
  type Agreement,
  type CheckResult,
  type CheckSpec,
  type GatePart,
  type Policy,
  type ResolvedAssignment,
  plainLine,
  roleTable,
  visibleName,
} from "../../contract/index.ts";
import { commandLine, declaredProduct, earlyResult, isPassing, unreportedMissing, useOf } from "../facts/index.ts";
import { confinementLines } from "../gate/lines.ts";
import type { GateRequest } from "../gate/open.ts";
import { describeBudget, invocationPhrase } from "../policy/index.ts";
import type { Run } from "../state/index.ts";
import { blindTester } from "./tester.ts";

/** A run that changes something asks about its agents together with the plan. */
export const asksOnce = (run: Run): boolean => run.created.mode === "implement";

type Seat = readonly [keyof Run["roles"], ResolvedAssignment];

const crewOf = (run: Run) => Object.entries(run.roles) as unknown as Seat[];

/** Agents of the user's list that take a role up when its agent fails. */
const fallbacksOf = (run: Run, role: Seat[0]): readonly ResolvedAssignment[] => run.created.fallbacks?.[role] ?? [];

/** Everyone who may be called: the crew, and those who take its roles up. */
const everyone = (run: Run): Seat[] => [
  ...crewOf(run).flatMap(([role, one]) => [one, ...fallbacksOf(run, role)].map((agent): Seat => [role, agent])),
  ...testerOf(run),
];

/** Blind tests are written under the rights of QA, also by an agent of another role. */
function testerOf(run: Run): Seat[] {
  const tester = run.created.policy.blindTests === "on" ? blindTester(run) : null;
  return tester ? [["qa", tester]] : [];
}

const agreementOf = (run: Run): Agreement => ({
  uses: everyone(run).map(([role, { assignment }]) => useOf(role, assignment)),
  destinations: [],
  start: false,
});

/** Providers that a person has allowed in this run. */
const askedProviders = ({ approvals }: Run): ReadonlySet<string> =>
  new Set(
    approvals.flatMap(({ kind, auto, answer, gate: { assignment } }) =>
      kind === "provider_invocation" && auto === null && isPassing(answer) && assignment
        ? [assignment.slice(0, assignment.indexOf(":"))]
        : [],
    ),
  );

function partsOf(run: Run): GatePart[] {
  const known = askedProviders(run);
  const crew = everyone(run).map(([, one]) => one);
  const called = new Set(crew.filter(({ modelBacked }) => modelBacked).map(({ provider }) => provider));
  return [
    ...[...called]
      .filter((name) => !known.has(name))
      .map((name): GatePart => ({ kind: "provider_invocation", phrase: invocationPhrase(name) })),
    { kind: "implementation_start", phrase: null },
  ];
}

function crewLines(run: Run): string[] {
  const named = ({ assignment, boundary }: ResolvedAssignment) =>
    `${assignment} (${boundary === "external" ? "external: sends data off this machine" : boundary})`;
  const lines = crewOf(run).map(([role, one]) => {
    const others = fallbacksOf(run, role).map(named);
    return `- ${roleTable[role].label}: ${[named(one), ...others].join("; if it fails: ")}`;
  });
  const testers = testerOf(run).map(([, one]) => `- Blind tests, without seeing the work: ${named(one)}`);
  lines.push(...testers);
  const outside = everyone(run).some(([, { boundary }]) => boundary === "external");
  return outside ? [...lines, transferLine(run.created.policy)] : lines;
}

const transferLine = ({ approvals, externalTransfers: { mode, maxAutoApproveBytes } }: Policy): string =>
  approvals === "manual" && mode === "manual"
    ? "Each message to an external agent is shown to you by its manifest before it is sent, unless you allowed its destination."
    : `Messages to external agents of up to ${maxAutoApproveBytes} bytes without secret risk pass by your policy; each other one is shown to you by its manifest before it is sent.`;

/** The command, the file that names it, and its result on the commit that the work starts from. */
function checkLine(run: Run, { id, argv, source, within }: CheckSpec): string {
  const known = earlyResult(run, id);
  const seconds = `${((known?.durationMs ?? 0) / 1_000).toFixed(1)} s`;
  const resultText = known && resultTexts[known.result];
  const why = known?.note ? `: ${plainLine(known.note, 200)}` : "";
  const later = within === undefined ? "with the work" : `where the work changes something in ${within}`;
  const result =
    resultText === undefined || known?.cut ? `not known yet, it runs ${later}` : `${resultText}${why} (${seconds})`;
  return `- ${plainLine(commandLine(argv), 200)} (from ${plainLine(source, 100)}): ${result}`;
}

const resultTexts: Readonly<Record<CheckResult, string>> = {
  passed: "passes",
  failed: "fails already",
  timed_out: "timed out",
  not_started: "cannot run",
  nothing_ran: "runs no test",
};

/** Agents start from the last commit. The sheet shows edits that a person forgot to commit. */
function uncommitted({ before }: Run): string[] {
  const paths = before?.changedPaths ?? [];
  if (paths.length === 0) return [];
  const first = paths
    .slice(0, 5)
    .map((path) => visibleName(path))
    .join(", ");
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return [`uncommitted edits that agents will not see: ${first}${more}`];
}

/** Known before any agent is called, and shown first. */
export function missingLines(run: Run): string[] {
  const lines = unreportedMissing(run).map(({ id, argv, lacks }) => {
    const why = earlyResult(run, id)?.note ?? lacks?.join(", ") ?? "it could not be started";
    return `- ${plainLine(commandLine(argv), 200)}: ${plainLine(why, 200)}`;
  });
  if (lines.length === 0) return [];
  return [
    "These checks cannot run on this machine, so they would prove nothing about the work:",
    ...lines,
    "Install what is missing and approve; the checks run again with the work. If you approve without it, you are asked about these checks again at the end.",
  ];
}

function limitLines(run: Run): string[] {
  const { policy } = run.created;
  const { scope } = run;
  const product = declaredProduct(run).map((glob) => `- ${visibleName(glob)}`);
  const checks = (run.checks ?? []).map((check) => checkLine(run, check));
  return [
    `budget: ${describeBudget(policy.budgets)}`,
    `allowed paths: ${scope.allowedPaths.join(", ") || "all; protected ones are shown by name at the end"}`,
    ...(scope.disallowedPaths.length > 0 ? [`never: ${scope.disallowedPaths.join(", ")}`] : []),
    ...(product.length > 0 ? ["product, by your word, although the names look like tests:", ...product] : []),
    ...(checks.length > 0
      ? ["checks, and their results before any work:", ...checks]
      : ["checks: none is known, so only the reviews would speak for the work"]),
    ...run.findings
      .filter(({ kind, pass }) => kind === "repository" && pass === 0)
      .map(({ message }) => `- ${plainLine(message, 300)}`),
    ...uncommitted(run),
  ];
}

const workspaceLine = ({ created, base }: Run): string =>
  created.policy.directEdit
    ? `THE CHECKOUT ITSELF at ${base.commit ?? "no commit"}: the worker edits your files directly`
    : `an isolated worktree at ${base.commit ?? "no commit"}; your checkout is not touched before you are asked`;

/** The texts of others that the run began with: a person sees where the goal comes from before anything is done for it. */
export const quotedTexts = ({ created: { quoted = [] } }: Run): string[] =>
  quoted.map(({ summary, bytes, ref }) => `${plainLine(summary, 200)} (${bytes} bytes, ${ref.slice(0, 19)})`);

function quotedLines(run: Run): string[] {
  const texts = quotedTexts(run);
  if (texts.length === 0) return [];
  const { quotedWarnings = [] } = run.created;
  const { acceptanceCriteria } = run.scope;
  return [
    "This run began with text of others; agents get it as data, not as instructions:",
    ...texts.map((text) => `- ${text}`),
    ...quotedWarnings.map((warning) => `! ${plainLine(warning, 300)}`),
    ...acceptanceCriteria.map((line) => `- must be true at the end: ${plainLine(line, 1_000)}`),
    ...(acceptanceCriteria.length > 0 ? ["A goal and criteria that you name with your approval replace these."] : []),
  ];
}

/** `plan` are the lines about the plan. */
export function startSheet(run: Run, plan: readonly string[]): GateRequest {
  const parts = partsOf(run);
  const phrases = parts.flatMap(({ phrase }) => (phrase === null ? [] : [phrase]));
  return {
    kind: parts[0]?.kind ?? "implementation_start",
    ...(parts.length > 1 ? { title: "Start the run", parts } : {}),
    answers: ["approve", "revise", "reject", "abort"],
    continuation: "start_implementing",
    phrase: phrases.length > 0 ? phrases.join("; ") : null,
    agreement: agreementOf(run),
    whole: true,
    facts: { unready: unreportedMissing(run).length > 0 },
    shown: [
      ...missingLines(run),
      ...quotedLines(run),
      ...plan,
      "These agents will be called:",
      ...crewLines(run),
      "You are asked before anything that looks like a secret is sent.",
      ...limitLines(run),
      ...confinementLines(run),
      `workspace: ${workspaceLine(run)}`,
    ],
  };
}
