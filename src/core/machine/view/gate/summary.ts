// The open gates of a run as a person decides them: the question that names what happens, the word for what cannot be
// undone, the risk by what the change does, and the rows of a result or a start.
import { plainLine, type Gate, type GateAnswer } from "../../../contract/index.ts";
import { callOf, counted, openGates } from "../../facts/index.ts";
import { isTransferGate, type GateRisk } from "../../gate/table.ts";
import { openChecks } from "../../review/index.ts";
import type { Pass, Run } from "../../state/index.ts";
import { laneCost, costText } from "../role-lanes.ts";
import { worstRisk } from "../risk.ts";
import { needsYes, resultSummary } from "./result.ts";
import type { GateSummary } from "./shapes.ts";
import { startSummary } from "./start.ts";

const kindsOf = ({ kind, parts = [] }: Gate): readonly Gate["kind"][] => [kind, ...parts.map((part) => part.kind)];

function sortOf(gate: Gate): GateSummary["sort"] {
  if (gate.continuation === "apply_patch") return "result";
  return gate.continuation === "start_implementing" ? "start" : "other";
}

/** The first names, and how many more there are. */
function some(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

function applyQuestion(run: Run, pass: Pass): string {
  const { toBranch } = run.created;
  const files = counted(pass.judgement?.paths.length ?? 0, "file");
  const protectedOnes = needsYes(run, pass);
  const what =
    toBranch === undefined ? `Apply ${files}` : `Commit ${files} on the new branch ${plainLine(toBranch, 100)}`;
  const [first] = protectedOnes;
  const accepting =
    protectedOnes.length === 1 && first
      ? [`accept the ${first.why} ${first.path}`]
      : protectedOnes.length > 1
        ? [
            `accept ${counted(protectedOnes.length, "change")} of tests or settings (${some(protectedOnes.map(({ path }) => path))})`,
          ]
        : [];
  const waived = openChecks(run, pass).map(({ command, standing }) =>
    standing === "none" ? "without any check" : `without a green \`${plainLine(command, 60)}\``,
  );
  return `${[what, ...accepting].join(" and ")}${waived.length > 0 ? `, ${some(waived)}` : ""}?`;
}

function transferQuestion(run: Run, gate: Gate): string {
  const manifest = callOf(run, gate.callId ?? null)?.manifest;
  const to = gate.assignment ?? "the agent";
  const risky = manifest?.risk === "secret_risk" ? ", which may hold a secret" : "";
  return manifest ? `Send ${manifest.totalBytes} bytes to ${to}${risky}?` : `Send this to ${to}?`;
}

function approveQuestion(run: Run, gate: Gate): string {
  const pass = run.passes.at(-1);
  const sort = sortOf(gate);
  if (sort === "result" && pass) return applyQuestion(run, pass);
  if (sort === "start") return `Start? ${run.roles.implementer?.assignment ?? "An agent"} works in its own worktree.`;
  if (isTransferGate(gate.kind)) return transferQuestion(run, gate);
  return `${plainLine(gate.title, 200)}: approve?`;
}

const fixed: Readonly<Partial<Record<GateAnswer, string>>> = {
  accept: "Take the work as it is, as your own decision?",
  retry: "Ask the agent again? The first call may have had an effect.",
  reject: "Refuse this? The run ends; its work is kept.",
  abort: "End the run now? Its work is kept.",
};

function questionsOf(run: Run, gate: Gate): GateSummary["questions"] {
  const approve = approveQuestion(run, gate);
  const all: GateSummary["questions"] = {
    ...fixed,
    approve,
    remember: `${approve.replace(/\?$/, "")}, and allow this destination from now on?`,
  };
  return Object.fromEntries(gate.answers.flatMap((answer) => (all[answer] ? [[answer, all[answer]]] : [])));
}

/** What cannot be undone takes a typed word: a secret that leaves, a check that is waived, a command that runs. */
function wordOf(run: Run, gate: Gate): string | null {
  const kinds = kindsOf(gate);
  if (kinds.includes("validation_waiver")) return "waive";
  if (kinds.includes("risky_command")) return "run";
  const leaves = kinds.some(isTransferGate) && callOf(run, gate.callId ?? null)?.manifest?.risk === "secret_risk";
  return leaves ? "send" : null;
}

/** By what the change does: a removed test is a risk, an added one is none. */
function riskOf(run: Run, gate: Gate): GateRisk {
  const judged = run.passes.at(-1)?.judgement;
  if (sortOf(gate) !== "result" || !judged) return worstRisk(gate.kind, kindsOf(gate));
  const removes = judged.protectedPaths.some(({ change }) => change === "removed");
  const waives = kindsOf(gate).includes("validation_waiver");
  if (removes || waives || judged.secretCount > 0) return "high";
  const asks = kindsOf(gate).includes("protected_patch_changes") || (gate.doubts ?? []).length > 0;
  return asks ? "medium" : "low";
}

export function gateSummary(run: Run, gate: Gate): GateSummary {
  const sort = sortOf(gate);
  const pass = run.passes.at(-1);
  return {
    gateId: gate.id,
    sort,
    goal: plainLine(run.created.goal, 300),
    workedMs: run.spent.ms,
    cost: costText(laneCost(run.calls)),
    risk: riskOf(run, gate),
    questions: questionsOf(run, gate),
    word: wordOf(run, gate),
    result: sort === "result" && pass ? resultSummary(run, pass) : null,
    start: sort === "start" ? startSummary(run) : null,
  };
}

export const gateSummaries = (run: Run): GateSummary[] => openGates(run).map((gate) => gateSummary(run, gate));
