// The one question at the start of a run that changes something (B-3): the agents that are called, where data goes, the budget, the
// paths, the commands, and the plan where there is one. A later step inside the answer is not asked about again.
import {
  type Agreement,
  type CheckResult,
  type CheckSpec,
  type GatePart,
  type ResolvedAssignment,
  plainLine,
  roleTable,
  visibleName,
} from "../../contract/index.ts";
import { commandLine, declaredProduct, earlyResult, unreportedMissing, useOf } from "../facts/index.ts";
import { confinementLines } from "../gate/lines.ts";
import type { GateRequest } from "../gate/open.ts";
import { describeBudget, mostBytes, mustBeAsked } from "../policy/index.ts";
import type { AgentCall, Run } from "../state/index.ts";

/** A run that changes something asks once at its start about everything. */
export const asksOnce = (run: Run): boolean => run.created.mode === "implement";

type Seat = readonly [keyof Run["roles"], ResolvedAssignment];

const crewOf = (run: Run) => Object.entries(run.roles) as unknown as Seat[];

/** Agents of the user's list that take a role up when its agent fails. */
const fallbacksOf = (run: Run, role: Seat[0]): readonly ResolvedAssignment[] => run.created.fallbacks?.[role] ?? [];

/** Everyone who may be called: the crew, and those who take its roles up. */
const everyone = (run: Run): Seat[] =>
  crewOf(run).flatMap(([role, one]) => [one, ...fallbacksOf(run, role)].map((agent): Seat => [role, agent]));

/** Data that one call may take off this machine: the message, and the files that the agent may read. */
const mostOf = (run: Run, { reads }: ResolvedAssignment): number =>
  run.created.policy.externalTransfers.maxAutoApproveBytes + (reads?.bytes ?? 0);

/** A plan that was shown is one plan. Where none was there to show, the first plan of the run is agreed to. */
function agreementOf(run: Run, start: boolean): Agreement {
  const outside = everyone(run).filter(([, { boundary }]) => boundary === "external");
  const destinations = new Map(outside.map(([, one]) => [one.assignment, mostOf(run, one)]));
  return {
    uses: everyone(run).map(([role, { assignment }]) => useOf(role, assignment)),
    destinations: [...destinations].map(([assignment, maxBytes]) => ({ assignment, maxBytes })),
    start,
  };
}

/** Why the agreement covers this transfer, or null when a person must decide. */
export function agreedTransfer(run: Run, { manifest, record, directive }: AgentCall): string | null {
  // Words of earlier runs were not on the sheet.
  if (directive?.memory) return null;
  const known = run.agreement?.destinations.find(({ assignment }) => assignment === record.assignment.assignment);
  if (!known || !manifest || record.lane === "side" || manifest.risk === "secret_risk") return null;
  if (mustBeAsked(run.created.policy, manifest)) return null;
  return mostBytes(manifest) <= known.maxBytes
    ? `Agreed at the start: up to ${known.maxBytes} bytes a call to ${known.assignment}, and no secret.`
    : null;
}

export const agreedStart = (run: Run): string | null =>
  run.agreement?.start && run.startedPlan === null
    ? "Agreed at the start: the first plan of this run may be carried out."
    : null;

function partsOf(run: Run): GatePart[] {
  const crew = everyone(run).map(([, one]) => one);
  const called = new Set(crew.filter(({ modelBacked }) => modelBacked).map(({ provider }) => provider));
  const outside = new Set(crew.filter(({ boundary }) => boundary === "external").map(({ provider }) => provider));
  return [
    ...[...called].map((name): GatePart => ({ kind: "provider_invocation", phrase: `invoke ${name}` })),
    ...[...outside].map((name): GatePart => ({
      kind: "run_evidence_external_transfer",
      phrase: `send run evidence to ${name}`,
    })),
    { kind: "implementation_start", phrase: null },
  ];
}

function crewLines(run: Run): string[] {
  const named = (one: ResolvedAssignment) => {
    const where = one.boundary === "external" ? `; up to ${mostOf(run, one)} bytes a call leave this machine` : "";
    return `${one.assignment} (${one.boundary}${where})`;
  };
  return crewOf(run).map(([role, one]) => {
    const others = fallbacksOf(run, role).map(named);
    return `- ${roleTable[role].label}: ${[named(one), ...others].join("; if it fails: ")}`;
  });
}

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
  const product = declaredProduct(run).map((glob) => `- ${visibleName(glob)}`);
  const checks = (run.checks ?? []).map((check) => checkLine(run, check));
  return [
    `budget: ${describeBudget(policy.budgets)}`,
    `allowed paths: ${policy.allowedPaths.join(", ") || "all; protected ones are shown by name at the end"}`,
    ...(policy.disallowedPaths.length > 0 ? [`never: ${policy.disallowedPaths.join(", ")}`] : []),
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

/** `plan` are the lines about the plan; a plan that does not exist yet is shown later. */
export function startSheet(run: Run, plan: readonly string[]): GateRequest {
  const parts = partsOf(run);
  const phrases = parts.flatMap(({ phrase }) => (phrase === null ? [] : [phrase]));
  return {
    kind: parts[0]?.kind ?? "implementation_start",
    ...(parts.length > 1 ? { title: "Start the run", parts } : {}),
    answers: plan.length > 0 ? ["approve", "revise", "reject", "abort"] : ["approve", "reject", "abort"],
    continuation: plan.length > 0 ? "start_implementing" : "call_provider",
    phrase: phrases.length > 0 ? phrases.join("; ") : null,
    agreement: agreementOf(run, plan.length === 0),
    whole: true,
    facts: { unready: unreportedMissing(run).length > 0 },
    shown: [
      ...missingLines(run),
      ...(plan.length > 0
        ? plan
        : [
            `plan: it is made next and recorded${run.created.policy.directEdit ? "" : "; nothing is applied before you are asked"}`,
          ]),
      "These agents will be called:",
      ...crewLines(run),
      "A message in which something looks like a secret is asked about on its own.",
      ...limitLines(run),
      ...confinementLines(run),
      `workspace: ${workspaceLine(run)}`,
    ],
  };
}
