// The open gates of a run as a person decides them: the question that names what happens, the word for what cannot be
// undone, the risk by what the change does, and the rows of a result or a start.
import { plainLine, type Gate, type GateAnswer } from "../../../contract/index.ts";
import { branchWords, callOf, counted, deliveryOf, mayDeliver, mayRequest, openGates } from "../../facts/index.ts";
import { isTransferGate, type GateRisk } from "../../gate/table.ts";
import { openChecks } from "../../review/index.ts";
import type { Pass, Run } from "../../state/index.ts";
import { runCost, costText } from "../role-lanes.ts";
import { worstRisk } from "../risk.ts";
import { needsYes, resultSummary } from "./result.ts";
import type { BranchOffer, GateSummary } from "./shapes.ts";
import { startSummary } from "./start.ts";

const kindsOf = ({ kind, parts = [] }: Gate): readonly Gate["kind"][] => [kind, ...parts.map((part) => part.kind)];

/** It asks whether the work is taken. */
export const asksForResult = ({ continuation }: Pick<Gate, "continuation">): boolean => continuation === "apply_patch";

function sortOf(gate: Gate): GateSummary["sort"] {
  if (asksForResult(gate)) return "result";
  return gate.continuation === "start_implementing" ? "start" : "other";
}

/** The first names, and how many more there are. */
function some(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${rest} more` : names.join(", ");
}

const filesOf = (pass: Pass): string => counted(pass.judgement?.paths.length ?? 0, "file");

/** What the approval accepts beside the work. */
function acceptsText(run: Run, pass: Pass): string {
  const protectedOnes = needsYes(run, pass);
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
    standing === "none"
      ? "without any check"
      : standing === "redefined"
        ? `although \`${plainLine(command, 60)}\` fails with the old tests`
        : `without a green \`${plainLine(command, 60)}\``,
  );
  return `${accepting.map((one) => ` and ${one}`).join("")}${waived.length > 0 ? `, ${some(waived)}` : ""}?`;
}

function applyQuestion(run: Run, pass: Pass): string {
  const toBranch = deliveryOf(run).branch;
  const files = filesOf(pass);
  const here = run.created.commit === true ? `Apply and commit ${files}` : `Apply ${files}`;
  const what = toBranch === undefined ? here : `Commit ${files} on ${branchWords(run, toBranch)}`;
  return `${what}${pushText(run)}${acceptsText(run, pass)}`;
}

/** What leaves this machine with the approval. */
function pushText(run: Run): string {
  const { pullRequest } = run.created;
  if (pullRequest === undefined) return "";
  const { remote, url, into } = pullRequest;
  return `, push it to ${plainLine(remote, 200)} (${plainLine(url, 300)}), open a draft pull request${into === undefined ? "" : ` in ${plainLine(into, 300)}`}`;
}

/** A name for a branch from the goal. */
export const branchName = (goal: string): string =>
  goal
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, "") || "work";

function branchOffer(run: Run, gate: Gate, pass: Pass | undefined): BranchOffer | null {
  if (!pass || !gate.answers.includes("approve") || !mayDeliver(run, gate)) return null;
  const name = deliveryOf(run).branch ?? branchName(run.created.goal);
  return { name, files: filesOf(pass), rest: acceptsText(run, pass), pullRequest: mayRequest(run, gate) };
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
    ...(gate.lane === "side" ? { reject: "Refuse this? The run goes on without it." } : {}),
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
export function riskOf(run: Run, gate: Gate): GateRisk {
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
    cost: costText(runCost(run)),
    risk: riskOf(run, gate),
    questions: questionsOf(run, gate),
    word: wordOf(run, gate),
    branch: branchOffer(run, gate, pass),
    result: sort === "result" && pass ? resultSummary(run, pass) : null,
    start: sort === "start" ? startSummary(run) : null,
  };
}

export const gateSummaries = (run: Run): GateSummary[] => openGates(run).map((gate) => gateSummary(run, gate));
