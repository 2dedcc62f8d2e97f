// The start of a run as a person decides about it: who works, who verifies, the checks now, what is sent, the limits.
import { dollars, plainLine, visibleName, type Budgets, type ResolvedAssignment } from "../../../contract/index.ts";
import { missingLines, quotedTexts } from "../../call/start-sheet.ts";
import { acceptedOf, commandLine, counted, currentPlan, earlyResult, unknownPrice } from "../../facts/index.ts";
import type { Run } from "../../state/index.ts";
import { cellOf } from "./checks.ts";
import type { StartSummary } from "./shapes.ts";

const providersOf = (crew: readonly ResolvedAssignment[]): string =>
  [...new Set(crew.map(({ provider }) => provider))].join(", ");

const secretsLine = "anything that looks like a secret is asked about first";

function sendsLine({ roles, created }: Run): string {
  const crew = Object.values(roles);
  const outside = crew.filter(({ boundary }) => boundary === "external");
  const programs = crew.filter(({ boundary, modelBacked }) => boundary !== "external" && modelBacked);
  if (outside.length > 0)
    return created.policy.approvals === "manual" && created.policy.externalTransfers.mode === "manual"
      ? `parts of this repository to ${providersOf(outside)}, after you saw each message; ${secretsLine}`
      : `parts of this repository to ${providersOf(outside)} within your policy; ${secretsLine}`;
  if (programs.length > 0) return `what ${providersOf(programs)} reads here goes to its own service; ${secretsLine}`;
  return "nothing leaves this machine";
}

/** By which prices the limit in money holds where an agent tells tokens only. */
function estimateNote({ roles, created }: Run): string {
  const models = Object.values(roles).filter(({ modelBacked }) => modelBacked);
  if (!created.policy.budgets.maxUsd || models.length === 0) return "";
  const from = [...new Set(models.flatMap(({ price }) => price?.from ?? []))];
  return ` (estimated${from.length > 0 ? ` by ${from.join(" and ")}` : ""} where an agent tells tokens only)`;
}

function unpricedLines({ roles, created }: Run): string[] {
  const unknown = Object.values(roles).filter(({ modelBacked, price }) => modelBacked && !price);
  if (!created.policy.budgets.maxUsd || unknown.length === 0) return [];
  const names = [...new Set(unknown.map(({ assignment }) => assignment))].join(", ");
  return [
    `No price is known for ${names}: without a cost of its own it counts as ${dollars(unknownPrice.input)} in and ${dollars(unknownPrice.output)} out for a million tokens. Your own price goes before it: the setting prices.`,
  ];
}

function limitLine(run: Run): string {
  const { maxIterations, maxTokens, maxMinutes, maxUsd }: Budgets = run.created.policy.budgets;
  const limits = [
    ...(maxUsd ? [`stops at ${dollars(maxUsd)}${estimateNote(run)}`] : []),
    ...(maxTokens ? [`${maxTokens} tokens`] : []),
    ...(maxMinutes ? [counted(maxMinutes, "minute")] : []),
    `at most ${counted(maxIterations, "model call")}`,
  ];
  const open = [...(maxUsd ? [] : ["money"]), ...(maxTokens ? [] : ["token"]), ...(maxMinutes ? [] : ["time"])];
  const none = open.length === 0 ? "" : `; no ${open.join(", ").replace(/, (?=[^,]*$)/, " or ")} limit`;
  return `${limits.join(", ")}${none}`;
}

function warningsOf(run: Run): string[] {
  const { quotedWarnings = [] } = run.created;
  const edited = run.before?.changedPaths ?? [];
  const some = edited
    .slice(0, 3)
    .map((path) => visibleName(path))
    .join(", ");
  const more = edited.length > 3 ? ` and ${edited.length - 3} more` : "";
  return [
    ...quotedWarnings.map((warning) => `The text that the run began with: ${warning}`),
    ...missingLines(run),
    ...unpricedLines(run),
    ...(edited.length > 0 ? [`Agents do not see your uncommitted edits: ${some}${more}`] : []),
    ...(run.inspection?.confinement === "none"
      ? ["No sandbox: agent programs and checks run with your own rights."]
      : []),
    ...(run.created.policy.directEdit ? ["The worker edits your files directly, not a copy."] : []),
    ...run.findings
      .filter(({ kind, pass }) => kind === "repository" && pass === 0)
      .map(({ message }) => plainLine(message, 300)),
  ];
}

export function startSummary(run: Run): StartSummary {
  const { implementer, verifier } = run.roles;
  const plan = currentPlan(run);
  const summary = acceptedOf(run, plan?.callId ?? null)?.summary ?? plan?.summary;
  return {
    works: {
      agent: implementer?.assignment ?? "no agent",
      where: run.created.policy.directEdit
        ? "in your checkout itself"
        : "in its own worktree; your files are not touched",
    },
    verifies: verifier?.assignment ?? null,
    checks: (run.checks ?? []).map(({ id, argv }) => {
      const known = earlyResult(run, id);
      const command = plainLine(commandLine(argv), 200);
      return { command, cell: cellOf(known), ms: known?.durationMs ?? null };
    }),
    sends: sendsLine(run),
    limit: limitLine(run),
    plan: summary === undefined ? null : plainLine(summary, 300),
    from: quotedTexts(run),
    criteria: run.scope.acceptanceCriteria.map((line) => plainLine(line, 4_000)),
    crew: Object.entries(run.roles).map(([role, { assignment }]) => ({ role, agent: assignment })),
    warnings: warningsOf(run),
  };
}
